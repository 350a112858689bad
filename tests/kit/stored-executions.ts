import type { AutomationSource, RunState, TimerAction } from '@linewarden/rules/automation'
import type { CommandState, GroupLineState } from '@linewarden/rules/control'
import type { Stack } from './stack.ts'

/** A run that is in the log, as if it had been carried out; times Unix ms. */
export interface LoggedExecution {
  readonly source?: AutomationSource
  readonly sourceId: number
  readonly name: string
  readonly controllerId?: string
  readonly pointNo?: number
  readonly action?: TimerAction
  /** Null: somebody pressed it. */
  readonly dueAt: number | null
  readonly claimedAt: number
  readonly endedAt?: number | null
  readonly state: RunState
  readonly why?: string
  readonly actor?: string
  readonly reason?: string
  readonly lines?: readonly LoggedLine[]
}

interface LoggedLine {
  readonly lineNo: number
  readonly state: GroupLineState
  readonly key?: string
  readonly text?: { readonly zh: string; readonly en: string }
  readonly command?: CommandState
  readonly action?: 'trip' | 'close' | 'selfTest'
}

/** Stores runs with their lines and commands; answers their ids, in their order. */
export async function storeExecutions(
  stack: Pick<Stack, 'server'>,
  runs: readonly LoggedExecution[],
): Promise<readonly string[]> {
  const db = await stack.server.database.connect()
  try {
    const ids: string[] = []
    for (const run of runs) ids.push(await storeExecution(stack, db, run))
    return ids
  } finally {
    await db.end()
  }
}

type Connection = Awaited<ReturnType<Stack['server']['database']['connect']>>

async function storeExecution({ server }: Pick<Stack, 'server'>, db: Connection, run: LoggedExecution): Promise<string> {
  const { source = 'timer', controllerId = 'A-T1', action = 'trip', lines = [], actor = '李强' } = run
  const project = server.plant.deviceByControllerId.get(controllerId)?.gateway.project
  if (!project) throw new Error(`${controllerId} is in no project`)
  const executionId = crypto.randomUUID()
  const endedAt = run.state === 'running' ? null : new Date(run.endedAt ?? run.claimedAt + 1_200)
  await db.query(
    `insert into automation_run (run_id, source, source_id, project_id, name, point_no, due_at, claimed_at, ended_at, state, why, actor, left_out, trace)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      ...[executionId, source, run.sourceId, project.id, run.name, run.dueAt === null ? null : (run.pointNo ?? 1)],
      ...[run.dueAt === null ? null : new Date(run.dueAt), new Date(run.claimedAt), endedAt, run.state, run.why ?? null, actor],
      ...[lines.some(({ state, key }) => state === 'skipped' && key !== 'alreadySo' && key !== 'scene already so')],
      source === 'timer'
        ? { action, timeZone: project.timeZone, lateMs: run.claimedAt - (run.dueAt ?? run.claimedAt), version: 1, lines: 2 }
        : {},
    ],
  )
  for (const operation of ['trip', 'close', 'selfTest'] as const) {
    const own = lines.filter((line) => (line.action ?? (action === 'test' ? 'selfTest' : action)) === operation)
    if (own.length === 0) continue
    const operationId = crypto.randomUUID()
    await db.query(
      `insert into operation_run (run_id, action, actor, reason, stagger_ms, started_at, begun_at, ended_at, automation_run_id)
       values ($1, $2, $3, $4, 1000, $5, $5, $6, $7)`,
      [operationId, operation, actor, run.reason ?? run.name, new Date(run.claimedAt), endedAt, executionId],
    )
    for (const [position, line] of own.entries()) {
      const lineId = server.plant.lineAt(controllerId, line.lineNo)?.id
      if (lineId === undefined) throw new Error(`${controllerId} has no line ${line.lineNo}`)
      const commandId = crypto.randomUUID()
      await db.query(
        `insert into operation_run_line (run_id, position, line_id, command_id, state, refusal) values ($1, $2, $3, $4, $5, $6)`,
        [operationId, position, lineId, commandId, line.state, line.key ? { key: line.key, text: line.text } : null],
      )
      if (line.command)
        await db.query(
          `insert into command (command_id, line_id, action, state, actor, source, reason, fence, issued_at, deadline, sent_at, verified_at, ended_at, run_id)
           values ($1, $2, $3, $4, $5, $6, $7, 1, $8, $8, $8, $9, $9, $10)`,
          [
            ...[commandId, lineId, operation, line.command, actor, source, run.name],
            ...[new Date(run.claimedAt), line.command === 'verified' ? new Date(run.claimedAt + 900) : null, operationId],
          ],
        )
    }
  }
  return executionId
}
