import type { Call, CommandRecord, SettingChange } from '@linewarden/contract'
import * as contract from '@linewarden/contract'
import { families } from '@linewarden/equipment'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { everyFamilyPlan } from '../../kit/every-family-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

let stack: Stack
let ahead = 0

beforeAll(async () => {
  stack = await startStack({ plan: everyFamilyPlan, clock: () => Date.now() + ahead, fleet: { now: () => Date.now() + ahead } })
  usualMs = gateway().behaviour.mechanismMs
  await gateway().report()
  await stack.server.ingest.drained()
})
afterAll(() => stack?.close())

/** As the simulator has it. */
let usualMs = 0
const gateway = () => stack.fleet.gatewayOf('smoke')
const detector = (key: string) => gateway().detector(key)
const body = (ControllerID: string) => ({ ControllerID, CommandID: crypto.randomUUID(), Reason: 'test' })
const line = (ControllerID: string, LineNo: number) => stack.server.plant.lineAt(ControllerID, LineNo)
const ends = ({ CommandID, ControllerID, LineNo }: CommandRecord, State: CommandRecord['State']) =>
  vi.waitFor(
    async () => {
      const { items } = await stack.client.call(contract.lineCommands, { params: { ControllerID, LineNo }, query: {} })
      const found = items.find((each) => each.CommandID === CommandID)
      expect(found?.State).toBe(State)
      return found
    },
    { interval: 50 },
  )
const historyOf = async (ControllerID: string) =>
  (await stack.client.call(contract.settingHistory, { body: { Target: { ControllerID, LineNo: 0 }, Size: 20 } })).items[0]
const isSet = ({ CommandID }: SettingChange) =>
  vi.waitFor(
    async () => {
      const { items } = await stack.client.call(contract.settingHistory, { body: { BatchID: CommandID } })
      expect(items.map(({ State }) => State)).toEqual(['verified'])
    },
    { interval: 50 },
  )
const executed = (ControllerID: string) =>
  stack.fleet.executed
    .filter(({ controllerId, outcome }) => controllerId === ControllerID && outcome === 'executed')
    .map(({ action }) => action)
/** Only a sounder that sounds can be silenced. */
const sound = async (key: string) => {
  detector(key).states.set('sounder', 'sounding')
  await settle()
  await vi.waitFor(() => expect(line(key, 0)?.states.get('sounder')).toBe('sounding'))
}
/** Fresh values are in, and a gateway that seemed silent because time was moved on counts as online again. */
const settle = async () => {
  await gateway().report()
  await stack.server.ingest.drained()
  await vi.waitFor(() => expect(line('smoke', 0)?.device.gateway.link).toBe('online'), { interval: 50 })
}

describe.each(contract.detailCalls.map((call) => [call.path, call] as const))('GET %s', (path, call) => {
  const answering = families.filter(({ calls }) => calls.includes(`GET ${path}`))

  test('is answered by its families, with every value, state and setting they have', async () => {
    expect(answering.length).toBeGreaterThan(0)
    for (const family of answering) {
      const reply = await stack.client.call(call, { query: { ControllerID: family.key } })
      expect(reply.Family).toBe(family.key)
      expect(reply.Points.map(({ Key }) => Key)).toEqual(family.points.map(({ key }) => key))
      expect(reply.Actions).toEqual(family.actions.map(({ key }) => key))
      expect(reply.Lines.map(({ LineNo }) => LineNo)).toEqual(family.level === 'line' ? [1, 2] : [0])
      for (const { State, Settings } of reply.Lines) {
        expect(State.Values.every((value) => value !== null)).toBe(true)
        expect(Object.keys(State.States).sort()).toEqual(family.states.map(({ key }) => key).sort())
        expect(Settings.map(({ Key, Reported }) => [Key, Reported !== null])).toEqual(
          family.settings.map(({ key }) => [key, true]),
        )
      }
    }
  })

  test('knows no device of another family', async () => {
    const other = families.find(({ calls }) => !calls.includes(`GET ${path}`))
    await expect(stack.client.call(call, { query: { ControllerID: other?.key ?? '' } })).rejects.toMatchObject({
      message: 'device not exists',
    })
  })
})

test('every call of the families is mounted for at least one of them', () => {
  const specs = new Set(families.flatMap(({ calls }) => calls))
  // A part of a line is there for the lines of every family, and so is a token.
  const ofAll = /^\/devices\/|^\/:Token$/
  const calls: Call[] = [...Object.values(contract.equipmentArea.calls), ...contract.detectorSettingCalls]
  const own = calls.filter(({ path }) => !ofAll.test(path))
  expect(own).toHaveLength(31)
  for (const { method, path, scope } of own) {
    if (scope.kind === 'device') expect(scope.spec).toBe(`${method} ${path}`)
    expect(specs).toContain(`${method} ${path}`)
  }
})

test('realtime says what a detector reports now', async () => {
  detector('gas').around.gasPercentLel = 8
  detector('gas').values.set('gas', 8)
  await settle()
  const reply = await stack.client.call(contract.gasRealtime, { query: { ControllerID: 'gas' } })
  expect(reply.Values[0]).toBeGreaterThan(6)
})

describe.each(contract.silencingCalls.map((call) => [call.path, call] as const))('PUT %s', (path, call) => {
  const key = families.find(({ calls }) => calls.includes(`PUT ${path}`))?.key ?? ''

  test('silences the sounder, proven by what the detector reports; the alarm stays', async () => {
    const alarm = families.find((each) => each.key === key)?.states[0]
    detector(key).states.set('sounder', 'sounding')
    const bad = alarm?.values[1]?.key ?? ''
    if (key !== 'currentLimiter' && alarm) detector(key).states.set(alarm.key, bad)
    await settle()
    await vi.waitFor(() => expect(line(key, 0)?.states.get('sounder')).toBe('sounding'))
    const record = await stack.client.call(call, { body: body(key) })
    expect(record).toMatchObject({ Action: 'silence', ControllerID: key, LineNo: 0 })
    await ends(record, 'verified')
    expect(executed(key)).toEqual(['silence'])
    expect(line(key, 0)?.states.get('sounder')).toBe('quiet')
    if (key !== 'currentLimiter' && alarm) expect(line(key, 0)?.states.get(alarm.key)).toBe(bad)
  })
})

describe.each([
  ['detectorRs', contract.detectorRsControl],
  ['detectorLte', contract.detectorLteControl],
] as const)('%s', (key, control) => {
  test('tests itself and says how that went', async () => {
    await ends(await stack.client.call(control, { body: { ...body(key), Action: 'selfTest' } }), 'verified')
    detector(key).around.testFails = true
    const failing = await stack.client.call(control, { body: { ...body(key), Action: 'selfTest' } })
    expect((await ends(failing, 'failed'))?.Outcome).toBe('self_test_failed')
  })

  test('is not taken for sound because it still says what an earlier test came to', async () => {
    detector(key).states.set('selfTest', 'passed')
    detector(key).around.testFails = true
    await settle()
    gateway().behaviour.mechanismMs = 2_000
    const order = await stack.client.call(control, { body: { ...body(key), Action: 'selfTest' } })
    await ends(order, 'acknowledged')
    for (const { metrics } of gateway().devices()) for (const each of metrics) each.sent = null
    await gateway().report()
    await stack.server.ingest.drained()
    await ends(order, 'acknowledged')
    expect((await ends(order, 'failed'))?.Outcome).toBe('self_test_failed')
    gateway().behaviour.mechanismMs = usualMs
  })

  test('takes set points and alarm switches, proven by what it reports then', async () => {
    const points = { 'residual.alarm': 450, 'temperature.alarm': 65 }
    const set = await stack.client.call(contract.detectorSetPoints, { body: { ...body(key), Settings: points } })
    await isSet(set)
    expect([line(key, 0)?.reported.get('residual.alarm'), line(key, 0)?.reported.get('temperature.alarm')]).toEqual([450, 65])
    const on = { 'residual.enabled': 1 }
    const record = await stack.client.call(contract.detectorAlarmSwitches, { body: { ...body(key), Settings: on } })
    await isSet(record)
  })

  test('and what was set by its own call is in the history with who and why, and is taken back there', async () => {
    const before = line(key, 0)?.reported.get('residual.alarm')
    const order = { ...body(key), Settings: { 'residual.alarm': 320 } }
    await isSet(await stack.client.call(contract.detectorSetPoints, { body: order }))
    expect(await historyOf(key)).toMatchObject({
      CommandID: order.CommandID,
      Actor: 'admin',
      Reason: 'test',
      Source: 'console',
      Settings: [{ Key: 'residual.alarm', Wanted: 320, Former: before }],
    })
    const back = { ChangeID: order.CommandID, CommandID: crypto.randomUUID(), Reason: 'back' }
    await isSet(await stack.client.call(contract.undoSetting, { body: back }))
    expect(line(key, 0)?.reported.get('residual.alarm')).toBe(before)
    expect(await historyOf(key)).toMatchObject({ Source: 'undo', Undoes: order.CommandID })
  })

  test('every step of it is kept with what said so', async () => {
    const order = { ...body(key), Settings: { 'temperature.alarm': 60 } }
    await isSet(await stack.client.call(contract.detectorSetPoints, { body: order }))
    const { Change, Steps } = await stack.client.call(contract.settingSteps, { params: { CommandID: order.CommandID } })
    expect(Change.State).toBe('verified')
    expect(Steps.map(({ State }) => State)).toEqual(['authorised', 'sent', 'acknowledged', 'verified'])
    expect(Steps.at(-1)?.Evidence).toMatchObject({ kind: 'readBack', key: 'temperature.alarm', value: 60 })
  })

  test('is not switched off without a time at which it comes back', async () => {
    const off = { 'residual.enabled': 0 }
    const asked = stack.client.call(contract.detectorAlarmSwitches, { body: { ...body(key), Settings: off } })
    await expect(asked).rejects.toMatchObject({ message: 'reason and expiry missing' })
  })

  test('setting what is set already is proven too', async () => {
    const same = { 'residual.alarm': 450 }
    await isSet(await stack.client.call(contract.detectorSetPoints, { body: { ...body(key), Settings: same } }))
  })

  test.each([
    ['below its range', { 'residual.alarm': 299 }, 'setting out of range'],
    ['beyond its range', { 'residual.alarm': 501 }, 'setting out of range'],
    ['between its steps', { 'residual.alarm': 300.5 }, 'setting out of range'],
    ['that is missing', {}, 'invalid parameter'],
  ])('a set point %s is refused, and nothing is sent', async (_, Settings, message) => {
    const before = executed(key).length
    const asked = stack.client.call(contract.detectorSetPoints, { body: { ...body(key), Settings } })
    await expect(asked).rejects.toMatchObject({ message })
    expect(executed(key)).toHaveLength(before)
  })

  test('a call sets only its own settings', async () => {
    const foreign = { 'residual.enabled': 0 }
    await expect(
      stack.client.call(contract.detectorSetPoints, { body: { ...body(key), Settings: foreign } }),
    ).rejects.toMatchObject({
      message: 'invalid parameter',
    })
  })
})

describe.each([
  ['airSwitch1p', contract.airUpdate],
  ['airSwitch3p', contract.airUpdate],
  ['powerController', contract.ppsControl],
] as const)('%s', (key, control) => {
  const order = (Action: 'trip' | 'close') => stack.client.call(control, { body: { ...body(key), LineNo: 2, Action } })

  test('switches one way off and on again, with the permit of a breaker and without a self-test it does not have', async () => {
    await ends(await order('trip'), 'verified')
    expect([line(key, 1), line(key, 2)].map((each) => each?.states.get('position'))).toEqual(['closed', 'open'])
    await expect(order('close')).rejects.toMatchObject({ message: 'close not permitted' })
    ahead += 11_000
    await settle()
    await ends(await order('close'), 'verified')
    expect(executed(key)).toEqual(['trip', 'close'])
  })

  test('has no line that it does not have', async () => {
    const asked = stack.client.call(control, { body: { ...body(key), LineNo: 3, Action: 'trip' } })
    await expect(asked).rejects.toMatchObject({ message: 'device not exists' })
  })
})

test('what is done to an offline detector is refused with the reason, and leaves no command behind', async () => {
  await sound('smoke')
  const record = await stack.client.call(contract.smokeSilencing, { body: body('smoke') })
  await ends(record, 'verified')
  gateway().disconnectAbruptly()
  await vi.waitFor(() => expect(line('smoke', 0)?.device.gateway.link).toBe('offline'))
  const asked = stack.client.call(contract.smokeSilencing, { body: body('smoke') })
  await expect(asked).rejects.toMatchObject({ message: 'silence not possible' })
  await gateway().reconnect()
  await vi.waitFor(() => expect(line('smoke', 0)?.device.gateway.link).toBe('online'))
})

test('acknowledged is not silenced: without the report it ends unknown', async () => {
  await sound('gas')
  gateway().behaviour.move = false
  const record = await stack.client.call(contract.gasSilencing, { body: body('gas') })
  await ends(record, 'acknowledged')
  ahead += 11_000
  await settle()
  expect((await ends(record, 'unknown'))?.Outcome).toBe('no_answer')
  gateway().behaviour.move = true
})

test('of the same id sent with other settings nothing is done', async () => {
  const first = { ...body('detectorRs'), Settings: { 'residual.alarm': 400 } }
  await isSet(await stack.client.call(contract.detectorSetPoints, { body: first }))
  const other = { ...first, Settings: { 'residual.alarm': 401 } }
  await expect(stack.client.call(contract.detectorSetPoints, { body: other })).rejects.toMatchObject({
    message: 'command id used',
  })
})

test('arc faults are on record', async () => {
  stack.fleet.run('arc', { controllerId: 'arcDetector' })
  await vi.waitFor(
    async () => {
      const { items } = await stack.client.call(contract.arcRecord, { query: { ControllerID: 'arcDetector' } })
      expect(items[0]).toMatchObject({ Key: 'arc', Priority: 'critical', State: 'active', ControllerID: 'arcDetector' })
      // 14 half-cycles in a second must alarm (GB 14287.4): what raised it is on record with it.
      expect(items[0]?.HalfCycles).toBeGreaterThanOrEqual(14)
    },
    { interval: 100 },
  )
})

test('of a line there is what it reports, its settings or its events, and of a foreign line nothing', async () => {
  const arc = line('arcDetector', 0)
  const DeviceID = arc?.device.gateway.id ?? 0
  const part = (third: 'realtime' | 'settings' | 'events', LineID = arc?.id ?? 0) =>
    stack.client.call(contract.linePart, { params: { DeviceID, LineID, third }, query: {} })
  const now = await part('realtime')
  expect([now.Realtime?.LineID, now.Settings, now.Events]).toEqual([arc?.id, null, null])
  const set = await part('settings')
  expect(set.Settings?.map(({ Key }) => Key)).toEqual(arc?.device.family.settings.map(({ key }) => key))
  expect((await part('events')).Events?.Datas[0]).toMatchObject({ Key: 'arc', ControllerID: 'arcDetector' })
  await expect(part('realtime', 99_999)).rejects.toMatchObject({ message: 'line not exists' })
})

test('the current while it arced is on record with its alarm, as the detector sampled it', async () => {
  const { items } = await stack.client.call(contract.arcRecord, { query: { ControllerID: 'arcDetector' } })
  const at = items[0]?.RaisedAt ?? 0
  await vi.waitFor(
    async () => {
      await gateway().report()
      const found = await stack.client.call(contract.lineRecordings, {
        params: { ControllerID: 'arcDetector', LineNo: 0 },
        query: { From: at - 5_000, To: at + 60_000 },
      })
      expect(found.items).toHaveLength(1)
      const [recording] = found.items
      expect(recording).toMatchObject({ Key: 'arc.waveform', Unit: 'A', PerSecond: 6_400 })
      expect(recording?.Samples).toHaveLength(1_280)
      // A few amperes there and back, fifty times a second: neither scaled wrongly nor read in the wrong byte order.
      const peak = Math.max(...(recording?.Samples ?? []).map(Math.abs))
      expect(peak).toBeGreaterThan(0.5)
      expect(peak).toBeLessThan(200)
    },
    { interval: 200 },
  )
})

test('power controllers are listed with their ways, of one project or of all', async () => {
  const all = await stack.client.call(contract.ppsList, { query: {} })
  expect(all.items.map(({ ControllerID }) => ControllerID)).toEqual(['powerController'])
  const HouseID = stack.server.plant.deviceByControllerId.get('powerController')?.gateway.project.id ?? 0
  expect((await stack.client.call(contract.ppsList, { query: { HouseID } })).total).toBe(1)
  await expect(stack.client.call(contract.ppsList, { query: { HouseID: 99_999 } })).rejects.toThrow()
})

test('current limiters are listed', async () => {
  const { items, total } = await stack.client.call(contract.aespList, { query: {} })
  expect([items.map(({ ControllerID }) => ControllerID), total]).toEqual([['currentLimiter'], 1])
})

test('every order stands in the audit log before it is sent, settings with what they were before', async () => {
  const rows = await stack.server.database.general
    .selectFrom('audit')
    .select(['action', 'target', 'before', 'after'])
    .where('action', '=', 'setting.console')
    .where('outcome', '=', 'authorised')
    .orderBy('audit_id')
    .execute()
  expect(rows[0]).toMatchObject({
    target: 'detectorRs/0',
    before: { 'detectorRs/0': { 'residual.alarm': 300, 'temperature.alarm': 70 } },
    after: { targets: { 'detectorRs/0': { 'residual.alarm': 450, 'temperature.alarm': 65 } } },
  })
})
