# Sourced: what a process at rest costs. One figure to a line.
#
# Wake-ups are voluntary context switches of all threads (proc(5)), which is what a sleeping process
# makes when it is woken.

# What is made in the folder, and the processes that are among the children, are gone at the end.
folder=$(mktemp -d)
children=()
finish() {
  for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
  wait
  rm -rf "$folder"
}
trap finish EXIT

switches() { cat /proc/"$1"/task/*/status | awk '/^voluntary/ { sum += $2 } END { print sum }'; }
ticks() { awk '{ print $14 + $15 }' /proc/"$1"/stat; }
kilobytes() { awk -v key="$2:" '$1 == key { print $2 }' /proc/"$1"/smaps_rollup; }

# SECONDS NAME PID [NAME PID]...: of all at once. The most resident size is that of looks a second
# apart, and the kernel's since the start (VmHWM); the others are of the end.
measure() {
  local seconds=$1 second index name pid size
  shift
  local processes=("$@") before=() start=() most=()
  for ((index = 1; index < $#; index += 2)); do
    pid=${processes[index]}
    before[pid]=$(switches "$pid")
    start[pid]=$(ticks "$pid")
    most[pid]=0
  done
  for ((second = 0; second < seconds; second++)); do
    sleep 1
    for ((index = 1; index < $#; index += 2)); do
      pid=${processes[index]}
      size=$(kilobytes "$pid" Rss)
      [ "$size" -le "${most[pid]}" ] || most[pid]=$size
    done
  done
  for ((index = 0; index < $#; index += 2)); do
    name=${processes[index]} pid=${processes[index + 1]}
    local wakes=$(($(switches "$pid") - before[pid])) used=$(($(ticks "$pid") - start[pid]))
    echo "idle $name resident: $(kilobytes "$pid" Rss) kB, at most ${most[pid]} kB;" \
      "since its start at most $(awk '$1 == "VmHWM:" { print $2 }' /proc/"$pid"/status) kB"
    echo "idle $name private dirty: $(kilobytes "$pid" Private_Dirty) kB," \
      "private clean: $(kilobytes "$pid" Private_Clean) kB"
    echo "idle $name anonymous: $(kilobytes "$pid" Anonymous) kB"
    echo "idle $name wake-ups: $((wakes * 3600 / seconds)) per hour"
    echo "idle $name CPU: $used ticks of 10 ms in $seconds s"
  done
}
