#!/usr/bin/env python3
"""A complete node upgrader: fulfils AgentUpgrades by an agent on the nodes. docs/extensions.md explains the contract.

    agent_upgrader.py NAMESPACE AGENT

AGENT is a program with two verbs, both safe to repeat:
    AGENT start ID NODE TARGET    starts upgrade ID on the node, unless it was started before
    AGENT look ID NODE            prints: none | running STEP | succeeded VERSION | failed STEP CODE | stopped STEP
    AGENT stop ID NODE            no step starts any more
This program keeps nothing: the object and the agent say where to go on, so it can be killed at any time and run twice.
"""
import datetime
import json
import subprocess
import sys
import time

KIND = "agentupgrades.example.org"
FINALIZER = "example.org/agent-upgrade"  # a person who deletes the object must not hide a step that runs
FINAL = ("Succeeded", "Failed", "Aborted")
PERMANENT = (10,)  # exit codes of the agent's steps after which a person must help


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def kubectl(*arguments, **more):
    return subprocess.run(["kubectl", *arguments], capture_output=True, text=True, timeout=30, **more)


def patch(upgrade, change, *options):
    """Changes the object, unless somebody else has changed it since it was read: then the next round decides again."""
    meta = upgrade["metadata"]
    change.setdefault("metadata", {})["resourceVersion"] = meta["resourceVersion"]
    done = kubectl("-n", meta["namespace"], "patch", KIND, meta["name"], *options, "--type=merge", "-p", json.dumps(change))
    if done.returncode:
        print(f"{meta['name']}: {done.stderr.strip()}", file=sys.stderr)


def write(upgrade, **status):
    status["observedGeneration"] = upgrade["metadata"]["generation"]
    patch(upgrade, {"status": status}, "--subresource=status")


def aborts(upgrade):
    """A deleted object is an aborted one."""
    return upgrade["spec"]["phase"] == "Abort" or "deletionTimestamp" in upgrade["metadata"]


def ask(agent, verb, upgrade, *more):
    """Asks the agent. Returns None if the node does not answer, which says nothing about the upgrade."""
    try:
        done = subprocess.run([agent, verb, upgrade["metadata"]["name"], upgrade["spec"]["node"], *more],
                              capture_output=True, text=True, timeout=30)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.split() if done.returncode == 0 else None


def decide_pending(upgrade):
    """Nothing was started: it may end at once, or be Running from here on. Running is written before anything is started."""
    spec = upgrade["spec"]
    if aborts(upgrade):
        return {"phase": "Aborted", "failureMessage": "nothing was started on the node"}
    if spec["deadline"] <= now():
        return {"phase": "Failed", "failureReason": "DeadlineExceeded", "retryable": True,
                "failureMessage": "nothing was started before the deadline"}
    if not spec["target"].startswith("version="):
        return {"phase": "Failed", "failureReason": "TargetNotSupported", "retryable": False,
                "failureMessage": f"the agent applies targets version=…, not {spec['target']}"}
    return {"phase": "Running", "lastHeartbeat": now()}


def decide_running(upgrade, agent):
    """What may run ends only by what the node says."""
    spec, stops = upgrade["spec"], aborts(upgrade) or upgrade["spec"]["deadline"] <= now()
    if stops:
        ask(agent, "stop", upgrade)
    seen = ask(agent, "look", upgrade)
    if seen == ["none"] and not stops:
        ask(agent, "start", upgrade, spec["target"])
        return None
    if not seen:
        return None  # silent: no heartbeat, no conclusion
    word, detail = seen[0], seen[1] if len(seen) > 1 else ""
    if word == "running":
        return {"lastHeartbeat": now(), "steps": [{"name": detail, "state": "Running"}]}
    if word == "succeeded":
        return {"phase": "Succeeded", "observedVersion": detail, "lastHeartbeat": now(),
                "steps": [{"name": "agent", "state": "Succeeded"}]}
    if word == "failed":
        code = int(seen[2])
        return {"phase": "Failed", "failureReason": "StepFailed", "retryable": code not in PERMANENT,
                "failureMessage": f"step {detail} has ended with exit code {code}; its log is on node {spec['node']}",
                "steps": [{"name": detail, "state": "Failed", "exitCode": code}]}
    where = f"stopped before step {detail}" if word == "stopped" else "nothing was started on the node"
    if aborts(upgrade):
        return {"phase": "Aborted", "failureMessage": where}
    return {"phase": "Failed", "failureReason": "DeadlineExceeded", "retryable": True, "failureMessage": where}


def reconcile(upgrade, agent):
    phase = upgrade.get("status", {}).get("phase", "Pending")
    finalizers = upgrade["metadata"].get("finalizers", [])
    if phase in FINAL:
        if FINALIZER in finalizers:
            patch(upgrade, {"metadata": {"finalizers": [each for each in finalizers if each != FINALIZER]}})
        return
    if FINALIZER not in finalizers and not aborts(upgrade):
        patch(upgrade, {"metadata": {"finalizers": [*finalizers, FINALIZER]}})
        return
    status = decide_pending(upgrade) if phase == "Pending" else decide_running(upgrade, agent)
    before = upgrade.get("status", {})
    if status and any(before.get(key) != value for key, value in status.items()):
        write(upgrade, **status)


def main(namespace, agent):
    while True:
        read = kubectl("-n", namespace, "get", KIND, "-o", "json")
        if read.returncode:
            print(read.stderr.strip(), file=sys.stderr)
        else:
            for upgrade in json.loads(read.stdout)["items"]:
                reconcile(upgrade, agent)
        time.sleep(1)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
