# Runs a command in a terminal of its own inside the one it was started from, and hands a copy of what it shows to fd 3.
# Node cannot open a pseudo-terminal without compiled code; Perl can, and is there on nearly every Unix.
#
#   perl terminal-relay.pl <on terminal> <clean environment> <command> [arguments...]
#
# <on terminal> names those of the command's descriptors 0, 1 and 2 that are the terminal ("012"). What of 1 and 2 is not,
# is fd 5 and fd 6 instead; 0 is then passed on as it is. fd 4 is told, a line each:
#   unsupported <why>   nothing was started        pid <n>             the command runs
#   error <errno> <why> it could not be started    exit <code>         it ended
#                                                  signal <n>          a signal ended it
# Three processes: this one moves the bytes and belongs to the job of the shell outside; the second leads the session
# inside, as a shell would, so that the command can be stopped and resumed; the third becomes the command.
use strict;
use warnings;
use POSIX ();
use Fcntl qw(O_RDWR O_NOCTTY O_NONBLOCK F_GETFL F_SETFL);
use Config ();

my ($on, $clean, @command) = @ARGV;
delete $ENV{PERL_BADLANG} if $clean;
my $parent = getppid();

sub tell_parent { POSIX::write(4, "$_[0]\n", length($_[0]) + 1) }
sub unsupported { tell_parent("unsupported $_[0]"); POSIX::_exit(0) }

# Numbers of the requests, which the core modules do not name. Other systems answer "unsupported".
my %request;
if ($^O eq 'linux' && $Config::Config{archname} !~ /mips|ppc|powerpc|sparc|alpha|hppa|parisc/) {
  %request = (get_size => 0x5413, set_size => 0x5414, control => 0x540E, unlock => 0x40045431, number => 0x80045430);
} elsif ($^O eq 'darwin') {
  %request = (get_size => 0x40087468, set_size => 0x80087467, control => 0x20007461, grant => 0x20007454, unlock => 0x20007452, name => 0x40807453);
} else {
  unsupported("no pseudo-terminals known on $^O");
}

# The terminal outside: where output goes, and where keys come from (a redirected input leaves the keyboard where it is).
my $screen = $on =~ /1/ ? 1 : 2;
my $keys = 0;
if ($on !~ /0/) {
  $keys = POSIX::open('/dev/tty', O_RDWR | O_NOCTTY);
  $keys = -1 unless defined $keys;
}
my $tty = $keys >= 0 ? $keys : $screen;

sysopen(my $master, '/dev/ptmx', O_RDWR | O_NOCTTY) or unsupported("/dev/ptmx: $!");
my $name;
if ($request{number}) {
  my ($zero, $number) = (pack('i', 0), pack('i', 0));
  ioctl($master, $request{unlock}, $zero) && ioctl($master, $request{number}, $number) or unsupported("ptmx: $!");
  $name = '/dev/pts/' . unpack('i', $number);
} else {
  $name = "\0" x 128;
  ioctl($master, $request{grant}, 0) && ioctl($master, $request{unlock}, 0) && ioctl($master, $request{name}, $name) or unsupported("ptmx: $!");
  $name =~ s/\0.*//s;
}
sysopen(my $slave, $name, O_RDWR | O_NOCTTY) or unsupported("$name: $!");

# It begins as the one outside is: its size, its erase key, whether it echoes.
my $outside = POSIX::Termios->new;
my $known = defined $outside->getattr($tty);
$outside->setattr(fileno($slave), POSIX::TCSANOW()) if $known;
open(my $tty_handle, '<&=', $tty);
sub copy_size {
  my $size = "\0" x 8;
  ioctl($tty_handle, $request{get_size}, $size) and ioctl($master, $request{set_size}, $size);
}
copy_size();

my $raw = POSIX::Termios->new;
if ($known) {
  $raw->getattr($tty);
  $raw->setiflag($raw->getiflag & ~(POSIX::IGNBRK() | POSIX::BRKINT() | POSIX::PARMRK() | POSIX::ISTRIP() | POSIX::INLCR() | POSIX::IGNCR() | POSIX::ICRNL() | POSIX::IXON()));
  $raw->setoflag($raw->getoflag & ~POSIX::OPOST());
  $raw->setlflag($raw->getlflag & ~(POSIX::ECHO() | POSIX::ECHONL() | POSIX::ICANON() | POSIX::ISIG() | POSIX::IEXTEN()));
  $raw->setcc(POSIX::VMIN(), 1);
  $raw->setcc(POSIX::VTIME(), 0);
}

pipe(my $news, my $tell) && pipe(my $orders, my $order) or unsupported("pipe: $!");
my %inherited = map { $_ => ($SIG{$_} // 'DEFAULT') eq 'IGNORE' ? 'IGNORE' : 'DEFAULT' } qw(INT QUIT TSTP TTIN TTOU PIPE HUP);

my $leader = fork() // unsupported("fork: $!");
if ($leader == 0) {
  close $_ for $news, $order, $master;
  lead();
  POSIX::_exit(0);
}
close $_ for $slave, $tell, $orders;
relay();

# Leads the session inside: starts the command in the foreground and says what becomes of it.
sub lead {
  my $say = sub { syswrite($tell, "$_[0]\n") };
  $SIG{$_} = 'IGNORE' for qw(INT QUIT TSTP TTIN TTOU PIPE HUP);
  POSIX::close($_) for 3, 4;
  POSIX::setsid();
  ioctl($slave, $request{control}, 0) or return $say->("error EIO no controlling terminal: $!");
  pipe(my $failed, my $fail) or return $say->("error EIO pipe: $!");
  my $child = fork();
  return $say->("error EAGAIN $!") unless defined $child;
  if ($child == 0) {
    POSIX::setpgid(0, 0);
    # Ignored still, this may be said from the background.
    POSIX::tcsetpgrp(fileno($slave), $$);
    my @from = map { $on =~ /$_/ ? fileno($slave) : $_ == 0 ? 0 : $_ + 4 } 0 .. 2;
    $_ != $from[$_] and POSIX::dup2($from[$_], $_) for 0 .. 2;
    POSIX::close($_) for 5, 6;
    $SIG{$_} = $inherited{$_} for keys %inherited;
    no warnings 'exec';
    exec { $command[0] } @command;
    my ($word) = grep { $!{$_} } qw(ENOENT EACCES E2BIG ENOEXEC);
    syswrite($fail, ($word // 'EIO') . " $!");
    POSIX::_exit(127);
  }
  POSIX::close($_) for 5, 6;
  close $fail;
  sysread($failed, my $why, 4096);
  if (defined $why && $why ne '') {
    waitpid($child, 0);
    return $say->("error $why");
  }
  $say->("pid $child");
  # The window has gone: whoever leads the session is told, and passes it on.
  $SIG{HUP} = sub { kill('HUP', -$child); kill('CONT', -$child); POSIX::_exit(0) } unless $inherited{HUP} eq 'IGNORE';
  for (;;) {
    my $pid = waitpid($child, POSIX::WUNTRACED());
    my $status = $?;
    next if $pid < 0 && $!{EINTR};
    last if $pid < 0;
    # Perl makes no difference between one that was stopped and one that ended well, except that the latter is gone.
    my $again = $status == 0 ? waitpid($child, POSIX::WNOHANG()) : -1;
    $status = $? if $again == $child;
    if ($again == 0) {
      $say->('stopped');
      sysread($orders, my $go, 1) or last;
      POSIX::tcsetpgrp(fileno($slave), $child);
      kill('CONT', -$child);
      next;
    }
    # What it left running must not be hung up on with the session.
    $SIG{HUP} = 'IGNORE';
    POSIX::tcsetpgrp(fileno($slave), $$);
    return $say->(POSIX::WIFSIGNALED($status) ? 'signal ' . POSIX::WTERMSIG($status) : 'exit ' . POSIX::WEXITSTATUS($status));
  }
}

my ($is_raw, $resized, $check, $ahead);

sub leave_raw { $outside->setattr($tty, POSIX::TCSADRAIN()) if $is_raw; $is_raw = 0 }

# Keys are taken only in the foreground: in the background the terminal belongs to another job.
sub in_foreground { $keys >= 0 && (POSIX::tcgetpgrp($tty) // -1) == getpgrp() }

sub enter_raw {
  return if $is_raw || !$known || !in_foreground();
  $is_raw = 1 if $raw->setattr($tty, POSIX::TCSADRAIN());
  # What was typed before is there already. The end of input among it is kept as a zero, which is then no longer told from one.
  my $there = '';
  vec($there, $keys, 1) = 1;
  $ahead = select($there, undef, undef, 0) > 0;
}

sub typed_ahead {
  my ($bytes) = @_;
  my $eof = chr $outside->getcc(POSIX::VEOF());
  $bytes =~ s/\0/$eof/g;
  return $bytes;
}

sub write_all {
  my ($fd, $bytes) = @_;
  while (length $bytes) {
    my $written = POSIX::write($fd, $bytes, length $bytes);
    if (defined $written) { substr($bytes, 0, $written, '') }
    elsif ($!{EINTR}) { next }
    elsif ($!{EAGAIN}) { my $w = ''; vec($w, $fd, 1) = 1; select(undef, $w, undef, undef) }
    else { return 0 }
  }
  return 1;
}

sub relay {
  $SIG{$_} = 'IGNORE' for qw(INT QUIT PIPE);
  $SIG{WINCH} = sub { $resized = 1 };
  $SIG{CONT} = sub { $check = 1 };
  $SIG{HUP} = sub { leave_raw(); POSIX::_exit(0) } unless $inherited{HUP} eq 'IGNORE';
  fcntl($master, F_SETFL, fcntl($master, F_GETFL, 0) | O_NONBLOCK);
  my ($m, $n) = (fileno($master), fileno($news));
  my ($typed, $heard, $ended, $quiet_until) = ('', '', 0, 0);
  my $copied = 1;
  enter_raw();
  for (;;) {
    if ($resized) { $resized = 0; copy_size() }
    if ($check) { $check = 0; $is_raw = 0 if !in_foreground(); enter_raw(); copy_size() }
    my ($r, $w) = ('', '');
    vec($r, $m, 1) = 1;
    vec($r, $n, 1) = 1 unless $ended;
    vec($r, $keys, 1) = 1 if $keys >= 0 && $typed eq '' && !$ended && ($is_raw || in_foreground());
    vec($w, $m, 1) = 1 if $typed ne '';
    my $ready = select($r, $w, undef, $ended ? 0.1 : 1);
    if ($ready < 0) { next }
    if ($ready == 0) {
      # Of what is left running inside nobody waits for the output.
      last if $ended;
      if (getppid() != $parent) { last }
      enter_raw();
      next;
    }
    if (vec($r, $m, 1)) {
      my $got = POSIX::read($m, my $bytes, 65536);
      if (defined $got && $got ne '0 but true' && $got > 0) {
        write_all($screen, $bytes);
        # The reader of the copy has gone, and with it whoever this runs for.
        last unless write_all(3, $bytes);
      } elsif (defined $got || !($!{EAGAIN} || $!{EINTR})) {
        # Everybody inside has closed it.
        last if $ended;
        select(undef, undef, undef, 0.01);
      }
    }
    if ($typed ne '' && vec($w, $m, 1)) {
      my $written = POSIX::write($m, $typed, length $typed);
      if (defined $written) { substr($typed, 0, $written, '') }
      elsif (!($!{EAGAIN} || $!{EINTR})) { $typed = '' }
    }
    if ($keys >= 0 && vec($r, $keys, 1)) {
      my $got = POSIX::read($keys, $typed, 4096);
      if (!defined $got) { $typed = ''; last unless $!{EINTR} || $!{EAGAIN} }
      elsif ($got eq '0 but true' || $got == 0) { last }
      elsif ($ahead) { $typed = typed_ahead($typed) }
      $ahead = 0;
    }
    if (!$ended && vec($r, $n, 1)) {
      my $got = sysread($news, $heard, 4096, length $heard);
      if (!$got) { last if defined $got; next }
      while ($heard =~ s/^(.*)\n//) {
        my $word = $1;
        if ($word eq 'stopped') {
          leave_raw();
          # The whole job, as the key would have stopped it; goes on when somebody resumes it, or at once where nobody can.
          kill('TSTP', 0);
          copy_size();
          enter_raw();
          syswrite($order, 'c');
          next;
        }
        tell_parent($word);
        $ended = 1 if $word =~ /^(?:exit|signal|error)/;
      }
    }
  }
  leave_raw();
  POSIX::_exit(0);
}
