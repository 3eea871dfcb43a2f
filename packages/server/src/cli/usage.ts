/** Texts of `sitrep --help` and `sitrep <command> --help`. */
export const USAGE = `sitrep – progress of agents and commands, kept and shown

Usage: sitrep <command> [options]

Commands:
  serve                 keep sessions and stream them over HTTP
  run -- <command…>     run a command and report how far it is
  validate <file|->     check a file of events, one JSON object a line
  convert [file|-]      put frames of one protocol into another's, one JSON value a line
  tail <session>        follow a session in the terminal
  mcp                   offer the progress tools to a model over MCP
  token                 make a token, or a key of tokens, for a gateway that asks for them
  push keys             make the keys a gateway sends pushes with
  doctor                look whether everything a gateway needs is well, and say what to do
  export                write what a gateway or a store keeps, one JSON object a line
  import <file|->       take an export into a store
  hook <harness>        forward what a coding agent tells its hooks

Options:
  --help                this text, or that of a command
  --version             the version

Environment:
  SITREP_URL            address of the gateway (default http://127.0.0.1:4747)
  SITREP_TOKEN_FILE     file with the token run, tail, mcp, hook, doctor and export send to a gateway that asks for one, read for
                        each request
  SITREP_TOKEN          the token itself, where there is no file
  SITREP_KEY_FILE       file with the keys of serve, token and doctor
  SITREP_KEY            the keys themselves, where there is no file
  SITREP_PUSH_KEYS_FILE file with the keys serve sends pushes with
  SITREP_PUSH_KEYS      the keys themselves, where there is no file
  SITREP_STORE          where sessions are kept, where --store does not say; keeps a password off the list of processes
  SITREP_PERL           the Perl that makes the terminal of run
  SITREP_SESSION        session of run (default "default") and of mcp (default: one for each client)
`;

export const SERVE_USAGE = `Usage: sitrep serve [options]

Keeps sessions and streams them. SIGINT stops it at once. SIGTERM first says at /readyz that it is about to, then lets its
readers go a few at a time; a second signal stops it at once.

  --port <n>            port to listen on; 0 takes any free one (default 4747)
  --host <address>      address to listen on (default 127.0.0.1: this machine only); any other needs keys
  --key-file <file>     ask for tokens of these keys (default SITREP_KEY_FILE, else SITREP_KEY, else nobody needs one)
  --store <where>       file to keep sessions in, "memory", or redis://host:port, rediss://… or redis+cluster://host:port,host:port
                        for any number of gateways (default SITREP_STORE, else .sitrep/sitrep.db)
  --allow-host <name>   answer under this name too: name or name:port; may be repeated
  --allow-origin <url>  let pages of this origin read and write; may be repeated
  --limit <name>=<n>    set a limit, such as clientLimit=20000; may be repeated (a wrong name lists them all)
  --log <text|json>     what to write to standard error: sentences, or JSON objects, one a line, requests included (default text)
  --drain <seconds>     longest time over which SIGTERM lets readers go (default 10; few readers take less)
  --drain-delay <s>     time from SIGTERM during which it only says that it is not ready (default 0)
  --push-keys <file>    tell people by Web Push, with these keys (default SITREP_PUSH_KEYS_FILE, else SITREP_PUSH_KEYS, else no push)
  --push-host <name>    push to this service too, besides those of browsers: name, name:port or *.name; may be repeated
  --trust-proxy         it is reached through a proxy only: count by the last address of X-Forwarded-For
`;

export const DOCTOR_USAGE = `Usage: sitrep doctor [options]

Looks whether everything is well that a gateway needs: Node, the store, room on the disk, keys and tokens, the port, the clock, and
the gateway itself where one runs. Changes nothing. Each line says what it found, and what to do where something is not well.
Ends with 0 unless something fails.

  --store <store>       the store of serve: a file, "memory" or redis://… (default SITREP_STORE, else .sitrep/sitrep.db)
  --key-file <file>     the keys of serve (default SITREP_KEY_FILE, else SITREP_KEY)
  --host <address>      the address serve is to listen on (default 127.0.0.1)
  --port <n>            its port (default 4747)
  --url <url>           address of the gateway (default SITREP_URL, else that host and port)
  --json                write the findings as JSON, one object
`;

export const EXPORT_USAGE = `Usage: sitrep export [options]

Writes what is kept of sessions, one JSON object a line: cards with their revisions, operations, runs, what was cleared, and the
events that are still kept. Remembered answers, leases and subscriptions are not in it.

  --store <where>       the store file, while no gateway has it, or redis://… at any time (default SITREP_STORE, else
                        .sitrep/sitrep.db)
  --url <url>           ask a gateway that runs, instead; with keys it takes a token of scope admin
  --session <name>      only this session; may be repeated
  --output <file>       file to write, whole or not at all (default standard output)
`;

export const IMPORT_USAGE = `Usage: sitrep import <file|-> [options]

Takes an export into a store, each session whole or not at all: a file while no gateway has it, a Redis at any time. A second time it
changes nothing.
Explains each bad line as line: message. Ends with 0 when all was taken, with 1 when something was not.

  --store <where>       the store file, made where there is none, or redis://… (default SITREP_STORE, else .sitrep/sitrep.db)
  --replace             put what is imported in the place of other histories of the same sessions (default: those are refused)
  --new-epochs          let every reader begin anew: for an export that is older than what readers saw
`;

export const RUN_USAGE = `Usage: sitrep run [options] -- <command> [arguments…]

Runs the command and reports it as one operation: its newest line of output, how far it says it is, and how it ended.
Ends with the command's own exit code, or 128 and the signal's number. The command sees what it would see without this:
a terminal where there is one, keys, signals, every byte. A gateway that cannot be reached never disturbs it.

How far it is, is read from OSC 9;4 and OSC 7501, from git, curl, wget, rsync, ffmpeg, cargo, pytest, tsc, npm, pnpm, docker, vite
and jest, and from [3/10], [ 42%] and bars of any other program. Where it says nothing there is no amount, only the time.

  --session <name>      session to report to (default SITREP_SESSION, else "default")
  --url <url>           address of the gateway (default SITREP_URL, else http://127.0.0.1:4747)
  --title <text>        title of the operation (default: the command itself)
  --id <id>             id of the operation (default: a new one); run again with the same id, its row begins afresh
  --inherit             give the command this very terminal or pipe; its output is then not read
`;

export const VALIDATE_USAGE = `Usage: sitrep validate <file|-> [options]

Checks events, one JSON object a line; - reads standard input. Explains each bad line as line:field: message.
Events must be whole: a gateway fills in "session" and "at" where they are missing, a file has nobody who could.
Ends with 0 when every line is good, with 1 when one is not.

  --dialect <name>      the lines are frames of this protocol, read in order as one stream: mcp, acp, ag-ui, …
                        ("auto" finds out; any other word lists the names)
  --strict              a frame that could only be read by mending it is bad too
`;

export const CONVERT_USAGE = `Usage: sitrep convert [file|-] [options]

Reads frames of one protocol, one JSON value a line, and writes them in another's. A recorded stream of server-sent events
(data: {…}) is read too. What could not be read, or only by mending it, is explained on standard error as
line:field: message. Ends with 0 when every line was read, with 1 when one was not.

  --from <name>         protocol of the input; "sitrep" is our own (default auto: found out for each line, and one that
                        could be of several is read as those before it)
  --to <name>           protocol to write (default sitrep); any other word lists the names
  --session <name>      session of frames that name none (default SITREP_SESSION, else "default")
  --run <name>          run of frames that name none
  --raw                 write frames that are text as they are, not as JSON (what a terminal is sent)
`;

export const TAIL_USAGE = `Usage: sitrep tail <session> [options]

Follows a session: what it is doing now, then every change. Stop it with Ctrl-C.

  --url <url>           address of the gateway (default SITREP_URL, else http://127.0.0.1:4747)
  --json                write each event as a line of JSON, snapshots included
`;

export const MCP_USAGE = `Usage: sitrep mcp [options]

An MCP server that offers report_progress, progress and progress_card to a model and writes what it reports to a gateway.
Over standard input and output for the one client that started it, or with --http for any number of this machine's.
Clients of the 2025 revisions of the protocol are served as well as those of 2026-07-28. When a client goes, what it left
open is shown as interrupted. A gateway that is away never holds the model up: the answer says that nothing is confirmed.

  --session <name>      session to write to (default SITREP_SESSION, else one for each client: folder:client:abc123)
  --url <url>           address of the gateway (default SITREP_URL, else http://127.0.0.1:4747)
  --tools <names>       the tools to list, separated by commas (default: all three)
  --http                serve Streamable HTTP at http://127.0.0.1:<port>/mcp; ?session=<name> there names a session
  --port <n>            port for --http; 0 takes any free one (default 4748)
`;

export const HOOK_USAGE = `Usage: sitrep hook claude [options]           input on standard input
       sitrep hook codex [options] [<notice>]  input on standard input, or as the last argument

Forwards what Claude Code or Codex tells a hook to the gateway: tool calls, to-do lists, subagents, permissions, turns.
Never holds the agent up: ends with 0 within 1.5 seconds, whether the gateway was there or not, and writes nothing. What was
said, what came out of a tool and what is in a file is not sent; what looks like a password or key is masked.

  --session <name>      session to write to (default SITREP_SESSION, else the id of the harness's session)
  --url <url>           address of the gateway (default SITREP_URL, else http://127.0.0.1:4747)
  --verbose             say on standard error what became of it
`;

export const TOKEN_USAGE = `Usage: sitrep token [options]

Makes a token for a gateway that was started with keys, and writes it to standard output. The key is that of the gateway:
a JSON Web Key, a set of them, Ed25519 in PEM, or a secret of at least 32 bytes.

  --scope <word>        what it allows: read, write (and read) or admin (and both) (default read)
  --session <name>      a session it reaches; may be repeated
  --prefix <text>       every session whose name begins like this; may be repeated
  --all                 every session
  --subject <name>      whom it is for, for logs
  --expires <time>      how long it lives: 30s, 15m, 12h or 7d (default 1h)
  --key-file <file>     file of the keys (default SITREP_KEY_FILE, else SITREP_KEY)

  --new-key [HS256|EdDSA]  make a key instead: HS256 is one secret, EdDSA a pair (default EdDSA)
  --public-key          write the public half of the key, for a gateway that only checks tokens
`;

export const PUSH_USAGE = `Usage: sitrep push keys --subject <url>

Makes the keys a gateway names itself with to push services (VAPID), and writes them to standard output as JSON. Give them
to serve with --push-keys, and keep them: every subscription is bound to them, and other keys void them all.

  --subject <url>       whom the operator of a push service may turn to: mailto:ops@example.com, or an https URL
`;
