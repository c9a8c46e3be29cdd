"""Hands frames on between two network devices, so late as the last number on standard input says, in milliseconds.

Debian's kernel has netem for this; small kernels have not.
"""
import collections
import select
import socket
import sys
import time

EVERYTHING = 3
# Checksums that are still to be made stay so: a frame goes on as if it had never left the kernel.
OF_PACKETS, WITH_OFFLOADS, NOT_OWN = 263, 15, 23
LONGEST = 70_000


def open_end(device):
    end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(EVERYTHING))
    for option in (WITH_OFFLOADS, NOT_OWN):
        end.setsockopt(OF_PACKETS, option, 1)
    end.bind((device, 0))
    return end


here, there = open_end(sys.argv[1]), open_end(sys.argv[2])
across = {here: there, there: here}
late = 0.0
waiting = collections.deque()
while True:
    until = max(0, waiting[0][0] - time.monotonic()) if waiting else None
    for end in select.select([here, there, sys.stdin], [], [], until)[0]:
        if end is sys.stdin:
            line = sys.stdin.readline()
            if not line:
                sys.exit()
            late = float(line) / 1_000
        else:
            waiting.append((time.monotonic() + late, across[end], end.recv(LONGEST)))
    while waiting and waiting[0][0] <= time.monotonic():
        _, end, frame = waiting.popleft()
        try:
            end.send(frame)
        except OSError:
            pass  # A device that is full loses it, as a road does.
