# Not installed: unpacked for the boot partition, which the boot ROM reads. Installed, their scripts
# would write into /boot/firmware at every kernel, which is not how this image is upgraded.
raspi-firmware
u-boot-rpi
