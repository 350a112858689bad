import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '@linewarden/client'
import { ledger, operateLine } from '@linewarden/contract'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import type { ExecutedEntry, GatewayPlan } from '@linewarden/simulator'
import { generatedPlan } from '@linewarden/simulator'
import { pino } from 'pino'
import { seedPlan } from '../../../scripts/demo/seed.ts'
import { openProxy } from '../proxy.ts'
import { outcomeOf } from '../refused.ts'
import { signedIn } from '../stack.ts'

export interface LateResult {
  readonly commands: number
  readonly executed: number
  readonly pauses: Readonly<Record<string, number>>
  readonly states: Readonly<Record<string, number>>
  readonly executedAfterDeadline: number
  readonly executedTwice: number
  /** Verified, and the field neither executed it nor stood in the position that was reported. */
  readonly doneButNotExecuted: number
  /** Of the trips verified: the line stood open already when the command was lost on its way. */
  readonly openAlready: number
}

interface Options {
  readonly commands: number
  readonly lines: number
  readonly pauseMs: { readonly least: number; readonly most: number }
}

const gapMs = 10_500
const quiet = { LINEWARDEN_LOG: 'error' }
const password = 'Duty-7391'

/**
 * Commands go out while server, broker path and gateways stand still in turn for random times. What the gateways executed, with its time,
 * is the oracle; the ledger says what people were told.
 */
export async function lateCommands({ commands, lines, pauseMs }: Options): Promise<LateResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lw-late-'))
  const executedLogFile = join(dataDir, 'executed.jsonl')
  const children: ChildProcess[] = []
  const gateways = await seed({ ...quiet, LINEWARDEN_DATA: dataDir, LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0' }, lines)
  // Asked for as late as can be: nobody keeps them until the server takes them.
  const [port, mqttPort] = [await freePort(), await freePort()]
  const env = {
    ...quiet,
    LINEWARDEN_DATA: dataDir,
    LINEWARDEN_PORT: String(port),
    LINEWARDEN_MQTT_PORT: String(mqttPort),
  }
  const proxy = await openProxy(() => connect(mqttPort, '127.0.0.1'))
  try {
    const url = `http://127.0.0.1:${port}`
    const server = spawn(process.execPath, ['apps/server/src/main.ts'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    children.push(server)
    await until(() =>
      fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    const field = { gateways, url: `mqtt://127.0.0.1:${proxy.port}`, executedLogFile }
    const fleet = spawn(process.execPath, [join(import.meta.dirname, 'fleet-process.ts')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    children.push(fleet)
    fleet.stdin.end(JSON.stringify(field))
    await new Promise<void>((resolve) => fleet.stdout.once('data', () => resolve()))

    const client = await signedIn(url, { userName: 'late', password })
    const pauses: Record<string, number> = { server: 0, broker: 0, gateway: 0 }
    let ordered = 0
    let over = false
    const places = gateways.flatMap(({ devices }) =>
      devices.flatMap(({ controllerId, lines: own }) =>
        own.map(({ lineNo }) => ({ ControllerID: controllerId, LineNo: lineNo })),
      ),
    )
    const pausing = pauseInTurn()
    await Promise.all(places.map((place, index) => operateOne(place, index)))
    over = true
    await pausing
    // The longest deadline, its grace, and a report of every line.
    await until(async () => (await open(client)) === 0, 90_000)
    const ledger = await everyCommand(client)
    fleet.kill('SIGTERM')
    return { ...evaluate(await executedEntries(executedLogFile), ledger), pauses }

    async function operateOne(place: { ControllerID: string; LineNo: number }, index: number): Promise<void> {
      await wait((index / places.length) * gapMs)
      for (let attr: 'trip' | 'close' = 'trip'; ordered < commands; ) {
        const body = { CommandID: crypto.randomUUID(), Reason: 'late' }
        const outcome = await outcomeOf(client.call(operateLine, { params: { ...place, attr }, body })).catch(() => 'no answer')
        if (outcome === 'done') ordered += 1
        // What is not permitted now is not asked for again at once: the line is tripped, and closed in the next turn.
        attr = attr === 'trip' ? 'close' : 'trip'
        await wait(gapMs)
      }
    }

    async function pauseInTurn(): Promise<void> {
      const random = () => pauseMs.least + Math.random() * (pauseMs.most - pauseMs.least)
      for (const victim of endless(['broker', 'gateway', 'server'] as const)) {
        if (over) return
        await wait(1_500)
        pauses[victim] = (pauses[victim] ?? 0) + 1
        if (victim === 'broker') proxy.pause()
        else (victim === 'server' ? server : fleet).kill('SIGSTOP')
        await wait(random())
        if (victim === 'broker') proxy.resume()
        else (victim === 'server' ? server : fleet).kill('SIGCONT')
      }
    }
  } finally {
    proxy.close()
    for (const child of children) {
      child.kill('SIGCONT')
      child.kill('SIGTERM')
    }
    await Promise.all(
      children.map((child) =>
        child.exitCode === null && child.signalCode === null ? new Promise((gone) => child.once('exit', gone)) : null,
      ),
    )
    await rm(dataDir, { recursive: true, force: true })
  }
}

function* endless<T>(items: readonly T[]): Generator<T> {
  for (;;) yield* items
}

interface LedgerEntry {
  readonly id: string
  readonly action: string
  readonly state: string
  readonly key: string
  readonly verifiedAt: number | null
}

function evaluate(entries: readonly ExecutedEntry[], ledger: readonly LedgerEntry[]): Omit<LateResult, 'pauses'> {
  const executed = entries.filter(({ outcome }) => outcome === 'executed')
  const times = new Map<string, number>()
  for (const { id } of executed) times.set(id, (times.get(id) ?? 0) + 1)
  const states: Record<string, number> = {}
  let openAlready = 0
  let doneButNotExecuted = 0
  for (const { id, action, state, key, verifiedAt } of ledger) {
    states[state] = (states[state] ?? 0) + 1
    if (state !== 'verified' || times.has(id)) continue
    const before = executed.findLast((each) => `${each.controllerId}/${each.lineNo}` === key && each.at <= (verifiedAt ?? 0))
    if ((before?.positionAfter ?? 'closed') === (action === 'trip' ? 'open' : 'closed')) openAlready += 1
    else doneButNotExecuted += 1
  }
  return {
    commands: ledger.length,
    executed: executed.length,
    states,
    executedAfterDeadline: executed.filter(({ at, deadline }) => at > deadline).length,
    executedTwice: [...times.values()].filter((count) => count > 1).length,
    doneButNotExecuted,
    openAlready,
  }
}

const executedEntries = async (file: string): Promise<ExecutedEntry[]> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExecutedEntry)

/** Commands that may still change, but for those whose outcome nobody will ever learn. */
async function open(client: Client): Promise<number> {
  let total = 0
  for (const State of ['authorised', 'sent', 'acknowledged'] as const)
    total += (await client.call(ledger, { query: { State, Size: 1 } })).total
  return total
}

async function everyCommand(client: Client): Promise<LedgerEntry[]> {
  const all: LedgerEntry[] = []
  for (let Page = 1; ; Page++) {
    const { items, total } = await client.call(ledger, { query: { Page, Size: 500 } })
    for (const { Command } of items)
      all.push({
        id: Command.CommandID,
        action: Command.Action,
        state: Command.State,
        key: `${Command.ControllerID}/${Command.LineNo}`,
        verifiedAt: Command.VerifiedAt,
      })
    if (all.length >= total) return all
  }
}

async function seed(env: Record<string, string>, lines: number): Promise<GatewayPlan[]> {
  const server = await compose(readConfig(env), { log: pino({ level: 'silent' }), clock: Date.now, env: {} })
  try {
    await server.accounts.createAccount({ userName: 'late', password, kind: 'platform' })
    const gateways = generatedPlan({ gateways: Math.ceil(lines / 10), linesPerGateway: 10, reportingPeriodMs: 1_000 })
    return await seedPlan(server, [{ group: 'late', name: 'late', timeZone: 'UTC', standard: 'GB', gateways }])
  } finally {
    await server.close()
  }
}

async function until(fact: () => Promise<boolean>, maxMs = 60_000): Promise<void> {
  const begun = performance.now()
  while (!(await fact())) {
    if (performance.now() - begun > maxMs) throw new Error('what was waited for did not come')
    await wait(100)
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
