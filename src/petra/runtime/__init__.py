"""What any part may need of the machine: files, devices, threads, progress."""
