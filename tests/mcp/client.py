"""A conversation with `crashback mcp` through the official Python SDK, in both revisions of the protocol."""

import os
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, Request, RequestParams, Result

CRASHBACK, PROGRAM = sys.argv[1], Path(sys.argv[2])
LOG = (PROGRAM / "crash.log").read_text()
INPUTS = {"log": LOG, "directory": str(PROGRAM), "classpath": ["classes"], "time": "20s", "seed": 1}
# Nothing in the program throws this, so that a search for it uses up its time.
ENDLESS = {**INPUTS, "log": LOG.replace("StringIndexOutOfBoundsException", "VerifyError"), "time": "10m"}


class Task(Result):
    """A call that became a task."""

    result_type: Literal["task"] = "task"
    task_id: str
    status: str


class TaskState(Result):
    """A task as `tasks/get` tells it."""

    status: str
    status_message: str | None = None
    result: dict[str, Any] | None = None


class TaskParams(RequestParams):
    task_id: str


class GetTask(Request[TaskParams, Literal["tasks/get"]]):
    method: Literal["tasks/get"] = "tasks/get"
    params: TaskParams


class Tasks(ClientExtension):
    """The extension for tasks: calls that become tasks are asked for until they are done."""

    identifier = "io.modelcontextprotocol/tasks"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def claims(self) -> list[ResultClaim[Task]]:
        return [ResultClaim(result_type="task", model=Task, resolve=self.resolve)]

    async def resolve(self, task: Task, context: ClaimContext) -> CallToolResult:
        while True:
            request = GetTask(params=TaskParams(task_id=task.task_id))
            state = await context.session.send_request(request, TaskState)
            self.seen.append(f"{state.status}: {state.status_message}")
            if state.status != "working":
                return CallToolResult.model_validate(state.result)
            await anyio.sleep(0.2)


def check(holds: bool, words: str, *details: object) -> None:
    if not holds:
        raise AssertionError(f"{words}: {details}")
    print(f"  ok  {words}")


def text(result: CallToolResult) -> str:
    return "\n".join(it.text for it in result.content if it.type == "text")


async def converse(mode: str, extensions: list[ClientExtension]) -> None:
    # The SDK passes on a few variables only.
    env = {name: os.environ[name] for name in ("JAVA_HOME", "CRASHBACK_CACHE_DIR") if name in os.environ}
    server = StdioServerParameters(command=CRASHBACK, args=["mcp"], cwd=str(PROGRAM), env=env)
    async with Client(server, mode=mode, extensions=extensions) as client:
        print(f"{mode}{' with tasks' if extensions else ''}: revision {client.protocol_version}")
        await look(client)
        await search(client, extensions)
        await err(client)
        if not extensions:
            await cancel(client)


async def look(client: Client) -> None:
    tools = (await client.list_tools()).tools
    names = [it.name for it in tools]
    check(names == ["reproduce", "explain", "list", "doctor"], "the tools are listed", names)
    check(all(it.output_schema for it in tools), "they have schemas of their results")
    doctor = await client.call_tool("doctor", {})
    check(not doctor.is_error and "can work here" in text(doctor), "the machine is examined", text(doctor))
    explained = await client.call_tool("explain", {"log_file": "crash.log", "classpath": ["classes"]})
    check("Recommended target: frame 7" in text(explained), "the trace is explained", text(explained))
    listed = await client.call_tool("list", {"log": LOG, "project_packages": ["parcels"]})
    check(listed.structured_content["default"] == 1, "crashes are listed", listed)


async def search(client: Client, extensions: list[ClientExtension]) -> None:
    progress: list[tuple[float, float | None, str | None]] = []

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        progress.append((done, total, message))

    begun = time.monotonic()
    result = await client.call_tool("reproduce", INPUTS, progress_callback=on_progress)
    took = time.monotonic() - begun
    found = result.structured_content
    check(found["reproduced"] and found["verified"], f"the crash is reproduced in {took:.1f} s", text(result))
    words = ["Reproduced at frame 8", "Verified: ", "Degree: escapes", "Search again", "class DepotCrashTest"]
    check(all(it in text(result) for it in words), "the text has the verdict", text(result))
    if extensions:
        check(extensions[0].seen[-1].startswith("completed"), "the task was asked for", extensions[0].seen)
    else:
        rises = all(one[0] < next[0] for one, next in zip(progress, progress[1:]))
        check(len(progress) > 2 and rises, f"progress was told {len(progress)} times", progress)


async def err(client: Client) -> None:
    wrong = await client.call_tool("reproduce", {"log": LOG, "classpath": ["nowhere"]})
    check(wrong.is_error and "nowhere" in text(wrong), "wrong input is an error of the tool", text(wrong))
    try:
        await client.call_tool("repair", {})
        check(False, "an unknown tool is refused")
    except MCPError as error:
        check(error.code == -32602, "an unknown tool is an error of the protocol", error)


async def cancel(client: Client) -> None:
    searching = anyio.Event()

    async def on_progress(_done: float, _total: float | None, message: str | None) -> None:
        if "tests" in (message or ""):
            searching.set()

    async with anyio.create_task_group() as group:

        async def endless() -> None:
            await client.call_tool("reproduce", ENDLESS, progress_callback=on_progress)

        group.start_soon(endless)
        await searching.wait()
        group.cancel_scope.cancel()
    begun = time.monotonic()
    result = await client.call_tool("reproduce", INPUTS)
    took = time.monotonic() - begun
    check(result.structured_content["reproduced"], f"after a cancelled search the next one takes {took:.1f} s")


async def main() -> None:
    print(f"Python {sys.version.split()[0]}, mcp {version('mcp')}")
    await converse("legacy", [])
    await converse("auto", [])
    await converse("2026-07-28", [Tasks()])


anyio.run(main)
