import { createClient } from '@linewarden/client'
import type { CommandRecord } from '@linewarden/contract'
import {
  deviceToken,
  issueToken,
  lineCommands,
  listJournal,
  revokeToken,
  tokenDetails,
  tokenSilencing,
  transferGateways,
  transferProject,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { everyFamilyPlan } from '../../kit/every-family-plan.ts'
import { outcomeOf } from '../../kit/refused.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'
import { newProject } from '../../kit/two-owners.ts'

const ControllerID = 'tokenDetector'
let stack: Stack
beforeAll(async () => {
  stack = await startStack({ plan: everyFamilyPlan })
})
afterAll(() => stack?.close())

const nobody = () => createClient({ baseUrl: stack.url, session: () => null })
const issue = async () => (await stack.client.call(issueToken, { body: { ControllerID } })).Token
const order = () => ({ CommandID: crypto.randomUUID(), Reason: '误报' })

test('whoever holds the token sees this one detector and silences it, and the log says that a token did', async () => {
  const Token = await issue()
  expect(Token).toMatch(/^[A-Za-z0-9_-]{22}$/)
  expect(await nobody().call(tokenDetails, { params: { Token } })).toMatchObject({ ControllerID, Family: 'tokenDetector' })
  stack.fleet.run('smoke', { controllerId: ControllerID, lineNo: 0 })
  await vi.waitFor(async () => {
    const { Lines } = await nobody().call(tokenDetails, { params: { Token } })
    expect(Lines[0]?.State.States.sounder).toBe('sounding')
  })
  // Pressed again while something stands against it: where the database is slow, what the detector said last may be too old to be sure of.
  const { CommandID } = await vi.waitFor(() => nobody().call(tokenSilencing, { params: { Token }, body: order() }))
  await vi.waitFor(async () => {
    const { items } = await stack.client.call(lineCommands, { params: { ControllerID, LineNo: 0 }, query: {} })
    const made: CommandRecord | undefined = items.find((each) => each.CommandID === CommandID)
    expect(made).toMatchObject({ State: 'verified', Actor: 'token:admin' })
  })
  const journal = await stack.client.call(listJournal, { body: { Action: 'line.silence' } })
  expect(journal.items[0]).toMatchObject({ Actor: 'token:admin', Target: `${ControllerID}/0` })
})

test('a token that was made anew, taken back, or never made opens nothing', async () => {
  const first = await issue()
  const second = await issue()
  const outcome = (Token: string) => outcomeOf(nobody().call(tokenDetails, { params: { Token } }))
  expect([await outcome(first), await outcome(second)]).toEqual(['page not found', 'done'])
  await stack.client.call(revokeToken, { body: { ControllerID } })
  expect(await outcome(second)).toBe('page not found')
  expect(await outcomeOf(nobody().call(tokenSilencing, { params: { Token: second }, body: order() }))).toBe('page not found')
  for (const Token of ['x', '../users', 'A'.repeat(22)]) expect(await outcome(Token)).toBe('page not found')
})

test('whether there is a token, since when and by whom, is told; the token itself never again', async () => {
  const tokenNow = async () => (await stack.client.call(deviceToken, { params: { ControllerID } })).Token
  const Token = await issue()
  const present = await tokenNow()
  expect(present).toEqual({ MadeBy: 'admin', MadeAt: expect.any(Number) })
  expect(JSON.stringify(present)).not.toContain(Token)
  await stack.client.call(revokeToken, { body: { ControllerID } })
  expect(await tokenNow()).toBeNull()
})

test('a token ends when its detector goes to another project or owner', async () => {
  const outcome = (Token: string) => outcomeOf(nobody().call(tokenDetails, { params: { Token } }))
  const device = stack.server.plant.deviceByControllerId.get(ControllerID)
  const { HouseID, Version } = await newProject(stack.client, '另一个项目')
  const before = await issue()
  await stack.client.call(transferGateways, { body: { DeviceIDs: [device?.gateway.id ?? 0], HouseID } })
  expect(await outcome(before)).toBe('page not found')
  const after = await issue()
  expect(await outcome(after)).toBe('done')
  await stack.server.accounts.createAccount({ userName: '13900000009', password: 'Owner-7391', kind: 'project' })
  // Whoever made it runs the installation and sees the detector there too: its new owner does not know who holds it.
  await stack.client.call(transferProject, { body: { HouseID, UserName: '13900000009', Version } })
  expect(await outcome(after)).toBe('page not found')
})

test('only the family that is made for it has a token', async () => {
  expect(await outcomeOf(stack.client.call(issueToken, { body: { ControllerID: 'smoke' } }))).toBe('token not possible')
})
