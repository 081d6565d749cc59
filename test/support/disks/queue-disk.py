"""Mounts the directory SOURCE at MOUNT, as a disk that serves one read at a time, each in SECONDS.

ORDER is `arrival`, or `size`: then waiting reads of up to 4 KiB go before larger ones.
"""

import heapq
import itertools
import os
import sys
import threading
import time

import fusepy

SMALL_BYTES = 4096
STAT_FIELDS = ("st_atime", "st_ctime", "st_gid", "st_mode", "st_mtime", "st_nlink", "st_size", "st_uid")
SPACE_FIELDS = ("f_bavail", "f_bfree", "f_blocks", "f_bsize", "f_favail", "f_ffree", "f_files", "f_flag", "f_frsize", "f_namemax")


def to_dict(result, fields):
    return {field: getattr(result, field) for field in fields}


class QueueDisk(fusepy.Operations):
    def __init__(self, source, order, seconds):
        self.source = source
        self.order = order
        self.seconds = seconds
        self.turns = threading.Condition()
        self.arrivals = itertools.count()
        self.waiting = []
        self.is_busy = False

    def serve(self, length):
        priority = int(self.order == "size" and length > SMALL_BYTES)
        with self.turns:
            turn = (priority, next(self.arrivals))
            heapq.heappush(self.waiting, turn)
            self.turns.wait_for(lambda: not self.is_busy and self.waiting[0] == turn)
            heapq.heappop(self.waiting)
            self.is_busy = True
        time.sleep(self.seconds)
        with self.turns:
            self.is_busy = False
            self.turns.notify_all()

    def read(self, path, length, offset, handle):
        self.serve(length)
        return os.pread(handle, length, offset)

    def write(self, path, data, offset, handle):
        return os.pwrite(handle, data, offset)

    def create(self, path, mode, info=None):
        return os.open(self.source + path, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)

    def open(self, path, flags):
        # Only this disk is asked for direct I/O, not the filesystem below it.
        return os.open(self.source + path, flags & ~os.O_DIRECT)

    def release(self, path, handle):
        os.close(handle)

    def fsync(self, path, datasync, handle):
        os.fsync(handle)

    def getattr(self, path, handle=None):
        try:
            return to_dict(os.lstat(self.source + path), STAT_FIELDS)
        except OSError as error:
            raise fusepy.FuseOSError(error.errno)

    def readdir(self, path, handle):
        return [".", "..", *os.listdir(self.source + path)]

    def statfs(self, path):
        return to_dict(os.statvfs(self.source), SPACE_FIELDS)

    def truncate(self, path, length, handle=None):
        os.truncate(self.source + path, length)

    def mkdir(self, path, mode):
        os.mkdir(self.source + path, mode)

    def rmdir(self, path):
        os.rmdir(self.source + path)

    def unlink(self, path):
        os.unlink(self.source + path)


source, mount, order, seconds = sys.argv[1:]
fusepy.FUSE(QueueDisk(source, order, float(seconds)), mount, foreground=True, direct_io=True)
