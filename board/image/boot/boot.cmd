# Godwit's image: U-Boot chooses a slot, counts the attempt, and starts its kernel. mkimage(1) makes
# boot.scr of it; U-Boot's standard boot finds that on the partition with the boot flag and sets
# devtype and devnum (U-Boot, doc/develop/bootstd/script.rst).
#
# The environment is in two copies on the bare disk before the first partition, in the redundant
# form of libubootenv (fw_env.config): CRC-32 of the data, little-endian, a byte that counts up, the
# data. One copy is written at a time, so that a power cut leaves the other one. RAUC's convention:
# BOOT_ORDER, and for each slot BOOT_x_LEFT attempts (RAUC, integration, U-Boot).
# Numbers are hexadecimal. @...@ is filled in when the image is made.

# Where RAM begins: 0 on a Raspberry Pi, 0x40000000 on the emulator's board.
setenv ram 0
if test "${board_name}" = "qemu-arm"; then setenv ram 4; fi
setenv kernel_addr_r ${ram}0400000
setenv fdt_addr_r ${ram}4000000
setenv overlay_addr ${ram}4100000
setenv copy_0 ${ram}4200000
setenv copy_1 ${ram}4210000
setenv crc ${ram}4220000
setenv ramdisk_addr_r ${ram}5000000

# Whether this U-Boot saves a CRC as a number or with its bytes in the order of reading: it depends
# on how it was configured (cmd/mem.c, common/hash.c). The CRC-32 of four zeros is 2144df1c.
mw.l ${crc} 0
setexpr made ${crc} + 4
crc32 ${crc} 4 ${made}
setenv order reading
if itest.l *${made} == 2144df1c; then setenv order number; fi

# Of the copy at addr: the CRC of its data, as it is written, at made.
setenv sum_number 'crc32 ${data} @ENV_DATA@ ${made}'
setenv sum_reading 'crc32 ${data} @ENV_DATA@ ${crc}; setexpr to ${crc} + 7; setexpr from ${crc};'
setenv sum_reading "${sum_reading}"' for i in 0 1 2 3; do cp.b ${from} ${to} 1;'
setenv sum_reading "${sum_reading}"' setexpr from ${from} + 1; setexpr to ${to} - 1; done'
setenv sum 'setexpr data ${addr} + 5; run sum_${order}'

# Which copy is used: the newer one of those whose CRC is right.
${devtype} dev ${devnum}
setenv used none
for n in 0 1; do
  if test ${n} = 0; then setenv addr ${copy_0}; setenv block @ENV_0@; fi
  if test ${n} = 1; then setenv addr ${copy_1}; setenv block @ENV_1@; fi
  mw.b ${addr} 0 @ENV_BYTES@
  ${devtype} read ${addr} ${block} @ENV_BLOCKS@
  run sum
  if cmp.b ${addr} ${made} 4; then
    setexpr at ${addr} + 4
    setexpr.b count *${at}
    if test ${used} = none; then
      setenv used ${n}; setenv newest ${count}
    else
      # The counter is a byte that wraps: one more than the other's is newer.
      setexpr next ${newest} + 1; setexpr next ${next} \& ff
      if itest ${count} == ${next}; then setenv used ${n}; setenv newest ${count}; fi
    fi
  fi
done

setenv BOOT_ORDER "A B"
setenv BOOT_A_LEFT 3
setenv BOOT_B_LEFT 0
if test ${used} = none; then
  echo "godwit: neither copy of the environment is right; slot A"
  setenv newest 0
  setenv used 1
else
  if test ${used} = 0; then setenv addr ${copy_0}; else setenv addr ${copy_1}; fi
  setexpr data ${addr} + 5
  env import -b ${data} @ENV_DATA@ BOOT_ORDER BOOT_A_LEFT BOOT_B_LEFT
fi

setenv slot
for s in ${BOOT_ORDER}; do
  if test -z "${slot}"; then
    if test ${s} = A; then setenv left ${BOOT_A_LEFT}; fi
    if test ${s} = B; then setenv left ${BOOT_B_LEFT}; fi
    if itest ${left} > 0; then
      setexpr left ${left} - 1
      setenv slot ${s}
      if test ${s} = A; then setenv BOOT_A_LEFT ${left}; setenv root 2; fi
      if test ${s} = B; then setenv BOOT_B_LEFT ${left}; setenv root 3; fi
    fi
  fi
done
if test -z "${slot}"; then
  # On an unattended board the last system again is better than none.
  echo "godwit: no slot has attempts left; both get new ones"
  setenv BOOT_A_LEFT 3
  setenv BOOT_B_LEFT 3
fi

# The copy that was not used gets the next count.
if test ${used} = 0; then
  setenv addr ${copy_1}; setenv block @ENV_1@
else
  setenv addr ${copy_0}; setenv block @ENV_0@
fi
setexpr newest ${newest} + 1; setexpr newest ${newest} \& ff
mw.b ${addr} 0 @ENV_BYTES@
setexpr data ${addr} + 5
env export -b -s 0x@ENV_DATA@ ${data} BOOT_ORDER BOOT_A_LEFT BOOT_B_LEFT
setexpr at ${addr} + 4
mw.b ${at} ${newest}
run sum
cp.b ${made} ${addr} 4
${devtype} write ${addr} ${block} @ENV_BLOCKS@
if test -z "${slot}"; then reset; fi

setenv bootargs "root=PARTUUID=@SIGNATURE@-0${root} rootfstype=ext4 ro rauc.slot=${slot} @ARGUMENTS@"
echo "godwit: slot ${slot}, ${left} more attempts"
if test "${board_name}" = "qemu-arm"; then
  setenv fdt_addr_r ${fdt_addr}
else
  # The slot's own device tree, with the overlays that the boot partition names. Raspberry Pi OS
  # calls the header's bus i2c_arm, and the overlays with it; the kernel's tree says i2c1.
  load ${devtype} ${devnum}:${root} ${fdt_addr_r} /boot/dtb/${fdtfile}
  fdt addr ${fdt_addr_r}
  fdt resize 4000
  fdt get value bus /__symbols__ i2c1
  fdt set /__symbols__ i2c_arm ${bus}
  setenv overlays godwit-uart
  if load ${devtype} ${devnum}:1 ${overlay_addr} overlays.txt; then
    env import -t -r ${overlay_addr} ${filesize} overlays
  fi
  for o in ${overlays}; do
    if load ${devtype} ${devnum}:${root} ${overlay_addr} /boot/overlays/${o}.dtbo; then
      fdt apply ${overlay_addr}
    else
      echo "godwit: there is no overlay ${o}"
    fi
  done
fi
load ${devtype} ${devnum}:${root} ${kernel_addr_r} /boot/vmlinuz
load ${devtype} ${devnum}:${root} ${ramdisk_addr_r} /boot/initrd.img
booti ${kernel_addr_r} ${ramdisk_addr_r}:${filesize} ${fdt_addr_r}
# A slot that cannot be started uses up its attempts.
reset
