"""Runtime: files, devices, threads and progress, for every part of PeTra."""
