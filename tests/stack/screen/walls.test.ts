import { addProject, listEvents, moveToGroup, placeTag, revokeScreen, screenBeat, screenView } from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSilence } from '../../../apps/server/src/areas/screen/links/silence.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'
import { place } from '../../kit/two-owners.ts'
import { newLink, openWall } from '../../kit/walls.ts'

// What a wall is told in one answer, and what is told of one that is dark.
let stack: Stack
let ahead = 0
const now = () => Date.now() + ahead
let houseA = 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: now, fleet: { now, ticking: false } })
  calm(stack)
  houseA = stack.server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
})
afterAll(() => stack?.close())

const admin = () => signedIn(stack.url, stack.admin, now)
const beat = { Build: 'b1', HeapMb: null, LateMs: 0, DataAt: null, Page: '/bigScreen' }

describe('a wall is told', () => {
  test('in one answer all that it shows beside live values, of its projects alone, and what it has already not again', async () => {
    const platform = await admin()
    for (const ControllerID of ['A-T1', 'B-T1'])
      await platform.call(placeTag, {
        params: { ControllerID, LineNo: 1 },
        body: { TagID: crypto.randomUUID(), Kind: 'tag', Reason: '检修' },
      })
    const { Key } = await newLink(platform, [houseA], { Name: '一览', DwellS: 45 })
    const { client } = await openWall(stack.url, { Key }, now)
    const { Tag, View } = await client.call(screenView, { query: {} })
    expect(View?.Link).toMatchObject({ Name: '一览', DwellS: 45 })
    const houses = View?.Groups.flatMap(({ Houses }) => Houses) ?? []
    expect(houses.map(({ HouseID }) => HouseID)).toEqual([houseA])
    expect(houses[0]?.Devices.flatMap(({ Devices }) => Devices.flatMap(({ Lines }) => Lines)).length).toBeGreaterThan(0)
    expect(View?.Tagged.map(({ HouseID, Tags }) => [HouseID, Tags])).toEqual([[houseA, 1]])
    for (const part of [View?.Topologies, View?.Energy, View?.Load]) expect(part?.map(({ HouseID }) => HouseID)).toEqual([houseA])
    expect(View?.Load[0]?.Rows.length).toBeGreaterThan(0)
    expect(await client.call(screenView, { query: { Tag } })).toEqual({ Tag, View: null })
  })

  test('of a group as it is now', async () => {
    const platform = await admin()
    const group = stack.server.plant.projects.get(houseA)?.cityId ?? 0
    const { Key } = await newLink(platform, [], { Scope: { CityID: group, HouseIDs: [] } })
    const { client } = await openWall(stack.url, { Key }, now)
    const names = async () => {
      const { View } = await client.call(screenView, { query: {} })
      return View?.Groups.flatMap(({ Houses }) => Houses.map(({ Name }) => Name))
    }
    expect(await names()).toEqual(['项目A', '项目B'])
    const { HouseID } = await platform.call(addProject, { body: { Name: '新项目', ...place, CityID: group } })
    expect(await names()).toContain('新项目')
    const other = [...stack.server.plant.cities.values()].find(({ id }) => id !== group)?.id ?? 0
    await platform.call(moveToGroup, { body: { HouseIDs: [HouseID], CityID: other } })
    expect(await names()).toEqual(['项目A', '项目B'])
  })
})

describe('a wall that is dark', () => {
  const events = async () => {
    const { items } = await (await admin()).call(listEvents, { body: { Open: true, Size: 200 } })
    return items
      .filter(({ Key, Label, State }) => Key === 'screen.silent' && State === 'active' && Label.zh.includes('门卫'))
      .map(({ Label, HouseID }) => [Label.zh, HouseID])
  }

  test('is a fault of its project by its name after two minutes, and returns with its next beat, or when its place is given up', async () => {
    const { Key, Screen } = await newLink(await admin(), [houseA], { Name: '门卫' })
    const { client } = await openWall(stack.url, { Key }, now)
    const watch = createSilence({ ...stack.server, clock: now })
    const becomes = async (expected: readonly unknown[]) => {
      await watch.look()
      await vi.waitFor(async () => expect(await events()).toEqual(expected))
    }
    const dark = [['大屏无响应：门卫', houseA]]
    ahead += 121_000
    await client.call(screenBeat, { body: beat })
    ahead += 119_000
    await becomes([])
    ahead += 2_000
    await becomes(dark)
    await becomes(dark)
    await client.call(screenBeat, { body: beat })
    await becomes([])
    ahead += 130_000
    await becomes(dark)
    await (await admin()).call(revokeScreen, { body: { ScreenID: Screen.ScreenID } })
    await becomes([])
  })
})
