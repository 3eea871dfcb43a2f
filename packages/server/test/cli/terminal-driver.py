# A terminal for a test: runs a command in a pseudo-terminal of 24 x 80, as a shell with job control would.
# Standard input takes a JSON object a line: {"send": text}, {"size": [rows, columns]}, {"resume": true}, {"hangup": true}.
# Standard output gets what the terminal shows. Standard error gets a JSON object a line: {"pid"}, {"stopped"}, {"code"} or
# {"signal"}, with the settings of the terminal after it. Arguments: which of 0, 1 and 2 are the terminal, and the command.
import errno, fcntl, json, os, pty, select, signal, struct, sys, termios, time

which, command = sys.argv[1], sys.argv[2:]
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))
before = termios.tcgetattr(slave)


def say(**words):
    sys.stderr.write(json.dumps(words) + '\n')
    sys.stderr.flush()


def settings():
    # EXTPROC and the like are not settings that anybody makes.
    now = termios.tcgetattr(slave)
    return now[:4] == before[:4]


def show_all():
    # What a terminal was given arrives at its other end in order, but when the system likes: a mark put in now comes after all
    # of it. Whoever is left in there may go on writing after the mark.
    mark = b'\x1b]end of what was shown\x1b\\'
    own = os.open(os.ttyname(slave), os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    left, seen = mark, b''
    while mark not in seen:
        ready, room, _ = select.select([master], [own] if left else [], [])
        if room:
            try:
                left = left[os.write(own, left):]
            except BlockingIOError:
                pass
        if ready:
            seen += os.read(master, 65536)
            if mark not in seen:
                # The beginning of a mark is kept until its end is there.
                keep = next((n for n in range(len(mark) - 1, 0, -1) if seen.endswith(mark[:n])), 0)
                show(seen[:len(seen) - keep])
                seen = seen[len(seen) - keep:]
    os.close(own)
    show(seen.replace(mark, b'', 1))


def show(got):
    while got:
        got = got[os.write(1, got):]


report, child_report = os.pipe()
leader = os.fork()
if leader == 0:
    # Nobody but the window holds this end: when it closes, all inside is hung up.
    os.close(master)
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(slave, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        null = os.open('/dev/null', os.O_RDWR)
        other = {0: null, 1: null, 2: null}
        for name, fd in (('SITREP_TEST_STDIN', 0), ('SITREP_TEST_STDOUT', 1), ('SITREP_TEST_STDERR', 2)):
            if name in os.environ:
                other[fd] = os.open(os.environ.pop(name), os.O_RDONLY if fd == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        for fd in (0, 1, 2):
            os.dup2(slave if str(fd) in which else other[fd], fd)
        os.closerange(3, 64)
        os.execvp(command[0], command)
    os.write(child_report, ('pid %d\n' % job).encode())
    resume = [False]
    signal.signal(signal.SIGUSR1, lambda *_: resume.__setitem__(0, True))
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        if os.WIFSTOPPED(status):
            os.tcsetpgrp(slave, os.getpid())
            os.write(child_report, b'stopped\n')
            while not resume[0]:
                time.sleep(0.02)
            resume[0] = False
            os.tcsetpgrp(slave, job)
            os.killpg(job, signal.SIGCONT)
            continue
        os.write(child_report, (('signal %d\n' % os.WTERMSIG(status)) if os.WIFSIGNALED(status) else 'code %d\n' % os.WEXITSTATUS(status)).encode())
        os._exit(0)
os.close(child_report)

typed = b''
told = b''
watched = [master, report, 0]
pending = b''
# A window that waits for room for its keys goes on showing what comes.
os.set_blocking(master, False)
while True:
    ready, room, _ = select.select(watched, [master] if pending else [], [], 0.2)
    if room:
        try:
            pending = pending[os.write(master, pending):]
        except BlockingIOError:
            pass
    if master in ready:
        try:
            got = os.read(master, 65536)
        except OSError as error:
            if error.errno not in (errno.EIO, errno.EAGAIN):
                raise
            got = b''
        if got:
            show(got)
    if 0 in ready:
        got = os.read(0, 65536)
        if not got:
            watched.remove(0)
        typed += got
        while b'\n' in typed:
            line, typed = typed.split(b'\n', 1)
            order = json.loads(line)
            if 'send' in order:
                pending += order['send'].encode()
            if 'size' in order:
                fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', *order['size'], 0, 0))
            if 'resume' in order:
                os.kill(leader, signal.SIGUSR1)
            if 'hangup' in order:
                os._exit(0)
    if report in ready:
        got = os.read(report, 4096)
        if not got:
            break
        told += got
        while b'\n' in told:
            word, _, value = told.split(b'\n', 1)[0].decode().partition(' ')
            told = told.split(b'\n', 1)[1]
            # What it has shown comes first.
            show_all()
            say(**{word: int(value) if value else True, 'restored': settings()})
