"""The command line: one file a command; errors become exit codes here and nowhere else."""

from __future__ import annotations

import importlib
import sys
import traceback

import click

from ragdash import __version__
from ragdash.core.errors import RagdashError

COMMANDS = (
    *("demo", "serve", "ingest", "run", "rescore", "compare", "gate", "ablate", "diagnose", "tag"),
    *("attack", "check", "import", "export", "probe", "calls", "db"),
)
# `import` is a word of Python and cannot be a module's name.
_MODULES = {"import": "receive"}


class _Commands(click.Group):
    """Imports a command's file only when it is asked for, so that `--help` stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(  # click's signature
        self,
        ctx: click.Context,  # noqa: ARG002
        cmd_name: str,
    ) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = _MODULES.get(cmd_name, cmd_name)
        command = importlib.import_module(f"ragdash.cli.{module}").command
        return command if isinstance(command, click.Command) else None


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ragdash")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def cli(debug: bool) -> None:
    """Inspect runs of RAG systems that answer questions over financial reports."""
    # Read by main(), which must know it before any command has been parsed.
    del debug


def main(argv: list[str] | None = None) -> None:
    """Run one command and end the process with its exit code (contract.md section 1)."""
    arguments = sys.argv[1:] if argv is None else argv
    sys.exit(invoke(arguments))


def invoke(arguments: list[str]) -> int:
    """Return the exit code of one command; an error is one sentence on stderr."""
    debug = "--debug" in arguments
    try:
        code = cli.main(args=arguments, prog_name="ragdash", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo(
            "stopped: the same command goes on; `ragdash db check` lists runs to resume", err=True
        )
        return 130
    except RagdashError as error:
        if debug:
            traceback.print_exc()
        click.echo(f"ragdash: {error}", err=True)
        return error.exit_code
    except Exception as error:  # noqa: BLE001 - the last place where an error can become a sentence
        if debug:
            traceback.print_exc()
        click.echo(
            f"ragdash: unexpected {type(error).__name__}: {error}; run again with "
            "`ragdash --debug ...` and report it",
            err=True,
        )
        return 1
    return code if isinstance(code, int) else 0
