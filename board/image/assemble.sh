# The steps from a system's files to an image; to be sourced by build, which sets the variables.

# A UUID from words: the same inputs give the same file systems.
uuid() { sha256sum <<<"godwit $*" | sed -E 's/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/\1-\2-4\3-8\4-\5/'; }

# The key that signs bundles: the one given, else one for development, made once for this user.
# With it, any system can be installed on the boards that trust it.
signing_key() {
  local key certificate folder=${XDG_CONFIG_HOME:-$HOME/.config}/godwit-image
  case ${RAUC_KEY:+key}${RAUC_CERTIFICATE:+certificate} in
  keycertificate) key=$RAUC_KEY certificate=$RAUC_CERTIFICATE ;;
  "")
    key=$folder/development-key.pem certificate=$folder/development-certificate.pem
    say "DEVELOPMENT KEY, $key: for real boards give RAUC_KEY and RAUC_CERTIFICATE (README.md, Keys)"
    [ -e "$key" ] || development_key "$folder"
    ;;
  *) fail "RAUC_KEY and RAUC_CERTIFICATE go together: a key and its certificate, PEM" ;;
  esac
  cp "$key" "$work/key.pem" && cp "$certificate" "$work/certificate.pem" || fail "no key to sign with"
  [ "$(in_tools openssl pkey -in key.pem -pubout)" = \
    "$(in_tools openssl x509 -in certificate.pem -noout -pubkey)" ] ||
    fail "$certificate is not the certificate of $key"
}

development_key() {
  mkdir -p "$1"
  work=$1 in_tools openssl req -x509 -newkey rsa:3072 -nodes -days 7300 -sha256 \
    -subj "/O=Godwit image/CN=development, not for production" \
    -keyout new-key.pem -out development-certificate.pem 2>/dev/null
  chmod 600 "$1/new-key.pem"
  mv "$1/new-key.pem" "$1/development-key.pem"
}

# Device-tree overlays of the boards and of the image, into a folder.
overlays() {
  local source
  [ "$platform" = raspberry-pi ] || return 0
  for source in "$image"/overlays/*.dts "$project"/board/*/godwit-*.dts; do
    work=$(dirname "$source") in_tools dtc -q -@ -I dts -O dtb "$(basename "$source")" \
      >"$1/$(basename "$source" .dts).dtbo"
  done
}

# Without a journal: it is only ever written as a whole.
root_file_system() {
  local id
  id=$(uuid root "$version" "$platform")
  ln "$system" "$work/system.tar" 2>/dev/null || cp "$system" "$work/system.tar"
  in_tools mke2fs -q -t ext4 -L godwit-root -U "$id" -m 0 -d system.tar \
    -O ^has_journal,^resize_inode,^metadata_csum_seed,^orphan_file \
    -E "hash_seed=$id,lazy_itable_init=0,nodiscard" root.ext4 "${slot_mb}M" ||
    fail "the system does not fit into a slot of $slot_mb MB (SLOT_MB)"
  in_tools e2fsck -fn root.ext4 >"$cache/e2fsck.log" 2>&1 || fail "e2fsck; $cache/e2fsck.log"
}

# No check at the start: a slot is written as a whole, and godwit-data checks the data partition.
# Blocks of 512 bytes and their places are those of genimage.cfg and fw_env.config.
boot_script() {
  local arguments="quiet panic=10 fsck.mode=skip $1"
  sed -e 's/@ENV_0@/800/; s/@ENV_1@/c00/; s/@ENV_BLOCKS@/10/; s/@ENV_BYTES@/2000/' \
    -e 's/@ENV_DATA@/1ffb/; s/@SIGNATURE@/676f6477/' -e "s/@ARGUMENTS@/$arguments/" \
    "$image/boot/boot.cmd" >"$work/boot.cmd"
  ! grep -n '@[A-Z_0-9]*@' "$work/boot.cmd" || fail "boot.cmd has places that are not filled in"
  in_tools mkimage -q -A arm64 -O linux -T script -C none -n "Godwit" -d boot.cmd boot/boot.scr >/dev/null
}

# One of the downloaded packages.
package_file() {
  tar -xOf "$packages/tree.tar" --wildcards "./var/cache/apt/archives/$1_*.deb"
}

# The firmware and the files that it starts, from the packages themselves.
raspberry_pi_boot_files() {
  local deb firmware=$work/firmware
  for deb in raspi-firmware u-boot-rpi; do
    package_file "$deb" >"$work/$deb.deb"
    dpkg-deb -x "$work/$deb.deb" "$firmware"
  done
  cp "$firmware"/usr/lib/raspi-firmware/{bootcode.bin,start.elf,fixup.dat,start4.elf,fixup4.dat} \
    "$work/boot/"
  cp "$firmware"/usr/share/doc/raspi-firmware/copyright "$work/boot/LICENCE-firmware.txt"
  cp "$firmware/usr/lib/u-boot/rpi_arm64/u-boot.bin" "$work/boot/"
  cp "$packages"/kernel/usr/lib/linux-image-*/broadcom/bcm{2837-rpi-*,2711-rpi-4-b}.dtb "$work/boot/"
  cp "$image"/boot/raspberry-pi/*.txt "$work/boot/"
  "$image/uboot-defaults" "$work/boot/u-boot.bin" bootdelay=-2 preboot= stdin=usbkbd \
    stdout=vidconsole stderr=vidconsole >"$work/uboot.txt"
  in_tools mkenvimage -s 0x4000 -o boot/uboot.env uboot.txt
}

# The file to edit, as Godwit prints it; written by the system itself, in the emulator.
settings_template() {
  tar -xOf "$system" "./usr/share/godwit-image/settings-$board.toml"
}

boot_file_system() {
  mkdir "$work/boot"
  if [ "$platform" = raspberry-pi ]; then
    raspberry_pi_boot_files
    boot_script "console=tty1"
  else
    boot_script "console=ttyAMA0"
  fi
  settings_template >"$work/boot/godwit.toml"
  find "$work/boot" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
  truncate -s 128M "$work/boot.vfat"
  in_tools mkfs.vfat --invariant -i "$(uuid boot "$version" "$board" | cut -c 1-8)" -n GODWIT \
    boot.vfat >/dev/null
  in_tools sh -c 'TZ=UTC mcopy -m -i boot.vfat boot/* ::/'
}

data_file_system() {
  local id
  id=$(uuid data "$version" "$board")
  # Inodes for files of 64 kB: there are few, and a check of a large card stays short.
  in_tools mke2fs -q -t ext4 -L godwit-data -U "$id" -b 4096 -I 256 -m 1 -i 65536 \
    -E "hash_seed=$id,lazy_itable_init=0,lazy_journal_init=0,nodiscard,root_owner=0:0" \
    data.ext4 128M
}

card() {
  local root=$work/nothing
  mkdir "$root"
  truncate -s 4096 "$work/empty.bin"
  # RAUC puts slot B into the boot order when it has a system.
  printf 'BOOT_ORDER=A\nBOOT_A_LEFT=3\nBOOT_B_LEFT=0\n' >"$work/environment.txt"
  in_tools mkenvimage -r -s 0x2000 -o environment.bin environment.txt
  sed "s/@SLOT_MB@/$slot_mb/" "$image/boot/genimage.cfg" >"$work/genimage.cfg"
  in_tools genimage --loglevel 1 --rootpath nothing --tmppath scratch --inputpath . --outputpath . \
    --config genimage.cfg >"$cache/genimage.log" 2>&1 || fail "the card; $cache/genimage.log"
  name=godwit-$version-$board
  in_tools zstd -q -"${ZSTD_LEVEL:-19}" -T0 --rm -f card.img -o card.img.zst
  mv "$work/card.img.zst" "$output/$name.img.zst"
}

# Signed; the signature contains the time, the only difference between builds.
bundle() {
  mkdir "$work/bundle"
  mv "$work/root.ext4" "$work/bundle/root.ext4"
  printf '[update]\ncompatible=godwit-%s\nversion=%s\n\n[bundle]\nformat=verity\n\n%s\n%s\n' \
    "$platform" "$version" "[image.rootfs]" "filename=root.ext4" >"$work/bundle/manifest.raucm"
  in_tools rauc bundle --key=key.pem --cert=certificate.pem \
    --mksquashfs-args="-comp xz -b 1M -all-root" bundle bundle.raucb >"$cache/rauc.log" 2>&1 ||
    fail "the bundle; $cache/rauc.log"
  mv "$work/bundle.raucb" "$output/godwit-$version-$platform.raucb"
}

# Every package of the card: what dpkg has installed, and what was unpacked for the boot partition.
contents() {
  local package
  tar -xOf "$system" ./var/lib/dpkg/status | awk -v RS= -F '\n' '{
    delete is
    for (line = 1; line <= NF; line++) {
      split($line, part, ": ")
      is[part[1]] = part[2]
    }
    if (is["Status"] ~ / installed$/) print is["Package"], is["Version"], is["Architecture"]
  }'
  [ -e "$image/packages/$platform.boot" ] || return 0
  for package in $(listed "$image/packages/$platform.boot"); do
    grep "^$package " "$packages/manifest"
  done
}

summary() {
  contents | LC_ALL=C sort >"$output/$name.packages"
  "$project/Tests/Packages/sbom" "$output/$name.packages" "$debs" >"$output/$name.spdx.json"
  mb() { echo $(($(stat -c %s "$1") / 1000000)); }
  echo "image: $output/$name.img.zst, $(mb "$output/$name.img.zst") MB; bundle" \
    "$(mb "$output/godwit-$version-$platform.raucb") MB; after $((SECONDS - start)) s"
}
