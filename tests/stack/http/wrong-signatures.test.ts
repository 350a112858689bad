import type { Session } from '@linewarden/client'
import { pathOf, userInfo } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRaw } from '../../kit/send-raw.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { sessionOf, startStack } from '../../kit/stack.ts'

// Whoever knows the number of an account, and not its password.
let stack: Stack
let session: Session
beforeAll(async () => {
  // Time stands still for what is counted: nothing is forgotten meanwhile.
  const now = Date.now()
  stack = await startStack({ plan: smallPlan, clock: () => now, expects: /tried again/ })
  session = await sessionOf(stack.url, stack.admin, () => now)
})
afterAll(() => stack?.close())

const send = async (token = session.token) => {
  const { envelope } = await sendRaw(stack.url, session, { path: pathOf(userInfo), token })
  return envelope.Message
}

/** Holds every connection that trips go by; the answer gives them back. */
async function withoutControlLane(): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const taken = Array.from({ length: 4 }, () => {
    let isTaken = () => {}
    const begun = new Promise<void>((resolve) => {
      isTaken = resolve
    })
    const ended = stack.server.database.control.transaction().execute(async (trx) => {
      await trx.selectFrom('account').select('account_id').limit(1).execute()
      isTaken()
      await released
    })
    return { begun, ended }
  })
  await Promise.all(taken.map(({ begun }) => begun))
  return async () => {
    release()
    await Promise.all(taken.map(({ ended }) => ended))
  }
}

test('many wrong signatures in the name of an account wait on the connections of no trip, and keep its own people from nothing', async () => {
  for (let i = 0; i < 60; i++) expect(await send('wrong')).toBe('signature wrong')
  const giveBack = await withoutControlLane()
  try {
    expect(await send('wrong')).toBe('signature wrong')
  } finally {
    await giveBack()
  }
  expect(await send()).toBe('')
})
