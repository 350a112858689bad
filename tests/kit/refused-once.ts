import { CallError } from '@linewarden/client'
import type { MessageKey } from '@linewarden/contract'
import { expect } from 'vitest'
import type { Stack } from './stack.ts'

/** Something that nobody should send, and what must come of it. */
export interface Bad {
  readonly refusal: MessageKey
  /** Ends in a CallError, or answers the envelope itself. */
  readonly send: () => Promise<unknown>
  /** What happened before, and is no part of it. */
  readonly after?: () => Promise<unknown>
  /** As it stands in the log; absent: admin. */
  readonly actor?: string
  /** As it stands in the log; null: it is not there. */
  readonly target: string | (() => string) | null
}

/** It is refused in both languages; nothing is executed or left behind; and it stands in the log once, with who and what. */
export async function refusedOnce(stack: Stack, { refusal, send, after, actor = 'admin', target }: Bad): Promise<void> {
  await after?.()
  const before = await effects(stack)
  const logged = (await log(stack)).length
  const answer = await send().catch((error: unknown) => {
    if (error instanceof CallError && error.problem.kind === 'refusal') return error.problem.failure
    throw error
  })
  expect(answer).toMatchObject({ Code: 0, Message: refusal })
  const { Text } = answer as { Text: { zh: string; en: string } }
  expect(Text.zh).toMatch(/\p{Script=Han}/u)
  expect(Text.en).toMatch(/[a-z]{3}/)
  expect(Text.en).not.toMatch(/\p{Script=Han}/u)
  await stack.server.push.drained()
  expect(await effects(stack)).toEqual(before)
  const written = (await log(stack)).slice(logged)
  if (target === null) return expect(written).toEqual([])
  expect(written).toMatchObject([{ actor, target: typeof target === 'string' ? target : target(), outcome: 'refused' }])
  expect(JSON.stringify(written[0]?.after)).toContain(`"${refusal}"`)
}

/** A device that does not report by itself. */
export const pushedDevice = 'NB-1'

/** All that an order could have moved or left behind. */
async function effects({ server, fleet }: Stack) {
  const db = server.database.general
  const count = async (table: 'command' | 'setting_change') =>
    (await db.selectFrom(table).select(db.fn.countAll<string>().as('count')).executeTakeFirstOrThrow()).count
  return {
    executed: fleet.executed.length,
    commands: await count('command'),
    changes: await count('setting_change'),
    pushed: server.plant.lineAt(pushedDevice, 0)?.liveReceivedAt,
  }
}

/** Without what is summed up behind the answer, whenever that is written (refused-attempts.test.ts). */
const log = ({ server }: Stack) =>
  server.database.general
    .selectFrom('audit')
    .select(['actor', 'target', 'outcome', 'after'])
    .where('action', '<>', 'session.denied')
    .orderBy('audit_id')
    .execute()
