import { expect, test } from 'vitest'
import { offenders } from '../../../tests/kit/offenders.ts'
import type { Call } from './core/call.ts'
import * as contract from './index.ts'

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const isCall = (value: unknown): value is Call =>
  isObject(value) && typeof value.method === 'string' && typeof value.path === 'string' && typeof value.permission === 'string'

/** A schema as it is written down, with all that is in it. */
function* nodesOf(schema: unknown): Generator<Json> {
  if (Array.isArray(schema)) for (const each of schema) yield* nodesOf(each)
  if (!isObject(schema)) return
  yield schema
  for (const each of Object.values(schema)) yield* nodesOf(each)
}

const fieldsOf = (schema: unknown): string[] =>
  isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : []
const requiredOf = (schema: unknown): unknown[] => (isObject(schema) && Array.isArray(schema.required) ? schema.required : [])
const parametersOf = ({ path }: Call): string[] => [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => name ?? '')

/** What a scope reads from the request. */
function idsOf({ scope }: Call): string[] {
  if (scope.kind === 'line') return scope.line === undefined ? [scope.device] : [scope.device, scope.line]
  if (scope.kind === 'projects') return [scope.id, scope.group]
  if (scope.kind === 'gateways') return [scope.id, scope.project]
  return 'id' in scope ? [scope.id] : []
}

const permissions: ReadonlySet<string> = new Set([
  'public',
  'session',
  'platform',
  'screen',
  ...contract.pages.flatMap(({ key, subs }) => [key, ...subs.map((sub) => sub.key)]),
  ...Object.keys(contract.buttons),
])

/** A gateway's secret is shown by the call that makes it, and never again. */
const showOnce: ReadonlySet<string> = new Set(['addGateway', 'addGateways', 'rotateSecret', 'addPush', 'rotatePush', 'addKey'])

const each = contract.allCalls.map((call) => [call.name, call] as const)

test('every call that is declared is in the list of all calls', () => {
  const exported: readonly unknown[] = Object.values(contract)
  const declared = exported.filter(isCall).map(({ name }) => name)
  expect(contract.allCalls.map(({ name }) => name).toSorted()).toEqual(declared.toSorted())
})

test('no two calls have one name', () => {
  const names = contract.allCalls.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('no two calls answer at one place', () => {
  const places = contract.allCalls.map(({ method, path }) => `${method} ${path.replace(/:[A-Za-z]+/g, ':')}`)
  expect(new Set(places).size).toBe(places.length)
})

test('only signing in, a wall by its key, whose installation it is, and a detector by its own token, may be called by nobody', () => {
  const open = contract.allCalls.filter(({ permission }) => permission === 'public').map(({ name }) => name)
  expect(open.toSorted()).toEqual([
    'branding',
    'giveSecondFactor',
    'keySignIn',
    'login',
    'openScreen',
    'pairScreen',
    'partnerLogin',
    'redeemSignOn',
    'resume',
    'tokenDetails',
    'tokenSilencing',
  ])
})

test('whatever changes something may move equipment or open a way to it, but what anybody does with their own session, and acknowledging', () => {
  const changes = contract.allCalls.filter(({ method, reads }) => method !== 'GET' && reads !== true)
  expect(
    changes
      .filter((call) => !contract.mayMoveEquipment(call))
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([
    'abandonRound',
    'acceptHazard',
    'acceptWorkOrders',
    'acknowledgeEvent',
    'answerRound',
    'approveRound',
    'askReportRecipient',
    'beginSecondFactor',
    'cancelDownload',
    'cancelHealthCheck',
    'chooseCarbon',
    'closeWorkOrder',
    'commentWorkOrder',
    'confirmSecondFactor',
    'correctStatement',
    'declineWorkOrder',
    'deleteInspectionPlan',
    'dispatchWorkOrders',
    'endSession',
    'finishRound',
    'giveSecondFactor',
    'importPrices',
    'importTariff',
    'insertFix',
    'insertHandReading',
    'insertInspectionPlan',
    'insertMeter',
    'insertReportSchedule',
    'insertSupply',
    'insertTariff',
    'insertVirtualMeter',
    'insertWorkOrder',
    'inspectionLabels',
    'issueStatement',
    'keepAlarmView',
    'keySignIn',
    'liveTicket',
    'login',
    'logout',
    'openScreen',
    'orderOfDefect',
    'pairScreen',
    'partnerLogin',
    'pauseWorkOrder',
    'processWorkOrder',
    'proveSession',
    'publishTariff',
    'readOrderNotices',
    'redeemSignOn',
    'removeAlarmView',
    'removeMeter',
    'removeReportSchedule',
    'removeSecondFactor',
    'renewRecoveryCodes',
    'reopenWorkOrder',
    'resume',
    'returnRound',
    'returnWorkOrder',
    'revokeKey',
    'revokeScreen',
    'runReport',
    'saveBudget',
    'saveCarbonFactor',
    'saveTariffDraft',
    'saveTopology',
    'screenBeat',
    'sendOrderPhoto',
    'sendRoundPhoto',
    'sendTestMail',
    'setLanguage',
    'setPowerFactor',
    'setStatementBill',
    'setSwitchSetting',
    'startHealthCheck',
    'startRound',
    'takeBackOrderPhoto',
    'takeWorkOrder',
    'undoFix',
    'undoHandReading',
    'updateInspectionPlan',
    'updateMeter',
    'updateOrderRule',
    'updateReportSchedule',
    'updateSupply',
    'updateVirtualMeter',
    'updateWorkOrder',
    'voidStatement',
  ])
  for (const call of contract.allCalls) if (!changes.includes(call)) expect(contract.mayMoveEquipment(call)).toBe(false)
})

test('whatever changes something says what it touches, if only nothing, and whatever reads touches nothing', () => {
  for (const { name, method, reads, touches, shows } of contract.allCalls) {
    const changes = method !== 'GET' && reads !== true
    expect([name, touches !== undefined, shows !== undefined && changes]).toEqual([name, changes, false])
  }
})

test('what one call touches another shows, and what is shown is touched by one', () => {
  const touched = new Set(contract.allCalls.flatMap(({ touches }) => touches ?? []))
  const shown = new Set(contract.allCalls.flatMap(({ shows }) => shows ?? []))
  expect([...touched].toSorted()).toEqual([...shown].toSorted())
})

test('whatever says what stands against an operation is read again when a tag, an inspection or the cause of a trip changes', () => {
  const against: readonly Call[] = [
    contract.closePermit,
    contract.operationPermits,
    contract.scenePermit,
    contract.linkagePermit,
    contract.previewTimer,
  ]
  for (const { name, shows } of against)
    expect([name, ['tags', 'inspections', 'tripCauses'].filter((each) => !shows?.some((shown) => shown === each))]).toEqual([
      name,
      [],
    ])
})

/** One test for all calls, which names each that breaks the rule. */
const everyCall = (rule: string, check: (name: string, call: Call) => void) =>
  test(`every call ${rule}`, async () => expect(await offenders(each, check)).toEqual([]))

everyCall('is exported under its own name', (name, call) => {
  expect(Object.entries(contract).find(([, value]) => value === call)?.[0]).toBe(name)
})

everyCall('names a permission that a role can have', (_, call) => {
  expect(permissions).toContain(call.permission)
  for (const also of call.alsoFor ?? []) expect(permissions).toContain(also)
})

everyCall('has a clean path, and says what it is for', (_, call) => {
  // The specification writes one of them with a slash at its end.
  const path = call.path.replace(/(?<=\/queryswitch)\/$/, '')
  expect(path).toMatch(/^(\/(:[A-Za-z]+|[A-Za-z_][A-Za-z0-9_]*|4g))+$/)
  expect(call.summary).toMatch(/^[A-Z].+[^.]$/)
})

everyCall('declares exactly the parameters of its path, and needs them all', (_, call) => {
  expect(fieldsOf(call.params).toSorted()).toEqual(parametersOf(call).toSorted())
  expect(requiredOf(call.params).toSorted()).toEqual(parametersOf(call).toSorted())
})

everyCall('carries every id its scope is checked by, in one place only', (_, call) => {
  for (const id of idsOf(call)) {
    const holders = [call.params, call.query, call.body].filter((schema) => fieldsOf(schema).includes(id))
    expect([id, holders.length]).toEqual([id, 1])
    const optional = 'optional' in call.scope && call.scope.optional === true
    expect([id, requiredOf(holders[0]).includes(id)]).toEqual([id, !optional])
  }
})

everyCall('has a scope as soon as it names equipment or a project', (_, call) => {
  const named = [call.params, call.query, call.body].flatMap(fieldsOf)
  const things = ['ControllerID', 'DeviceID', 'DeviceIDs', 'HouseID', 'HouseIDs', 'LineID', 'EventID', 'CityID']
  const touches = named.some((field) => things.includes(field))
  if (touches)
    expect(['project', 'projects', 'gateway', 'gateways', 'group', 'line', 'lines', 'controller', 'device', 'event']).toContain(
      call.scope.kind,
    )
})

everyCall('refuses unknown fields at every level of what it takes', (_, call) => {
  for (const schema of [call.params, call.query, call.body])
    for (const node of nodesOf(schema)) if (node.type === 'object') expect(node.additionalProperties).toBe(false)
})

everyCall('bounds every text it takes in its body and path', (_, call) => {
  for (const schema of [call.params, call.query, call.body])
    for (const node of nodesOf(schema))
      if (node.type === 'string' && !('enum' in node) && !('const' in node))
        expect(node.maxLength !== undefined || node.pattern !== undefined || node.format !== undefined).toBe(true)
})

everyCall('bounds every number and every list it takes', (_, call) => {
  for (const schema of [call.params, call.query, call.body])
    for (const node of nodesOf(schema)) {
      if (node.type === 'array') expect(node.maxItems).toBeLessThanOrEqual(20_000)
      if (node.type !== 'integer' && node.type !== 'number') continue
      if ('enum' in node || 'const' in node) continue
      expect(node.minimum ?? node.exclusiveMinimum).toBeGreaterThanOrEqual(Number.MIN_SAFE_INTEGER)
      expect(node.maximum ?? node.exclusiveMaximum).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
    }
})

everyCall('answers no fields but those it declares', (_, call) => {
  for (const schema of [call.data, call.datas])
    for (const node of nodesOf(schema))
      if (node.type === 'object' && !('patternProperties' in node)) expect(node.additionalProperties).toBe(false)
})

everyCall('answers with one thing or a list, not both', (_, call) => {
  expect(call.data !== undefined && call.datas !== undefined).toBe(false)
})

everyCall('has no body when it only reads', (_, call) => {
  if (call.method === 'GET') {
    expect(call.body).toBeUndefined()
    expect(call.data ?? call.datas ?? call.file).toBeDefined()
  }
})

everyCall('never gives away a password', (name, call) => {
  for (const schema of [call.data, call.datas])
    for (const node of nodesOf(schema))
      for (const field of fieldsOf(node))
        if (!(field === 'Secret' && showOnce.has(name))) expect(field).not.toMatch(/^Password|Secret$/)
})

everyCall('is open to more than one page only when it changes nothing', (_, call) => {
  if (call.alsoFor) expect(call.method === 'GET' || call.reads === true).toBe(true)
})

everyCall('says that it reads only where that is not plain from its method', (_, call) => {
  if ('reads' in call) expect(call.method).toBe('POST')
})

test('whatever changes something about a line needs the permission to switch it, to tag it or to set it', () => {
  const changing = contract.allCalls.filter(
    ({ method, scope }) => method !== 'GET' && (scope.kind === 'line' || scope.kind === 'device'),
  )
  expect(changing.length).toBeGreaterThan(0)
  for (const { area, permission } of changing)
    expect(area === 'settings' ? ['devmon.params'] : ['lineSwitch', 'tagLines']).toContain(permission)
})

/** Calls that change something, and why whoever is refused them is not in the log by the call. */
const unlogged: Readonly<Record<string, string>> = {
  logout: 'it ends the session that asks, and nobody is kept in one',
  setLanguage: 'how the console speaks to oneself',
  setSwitchSetting: 'whether one hears alarms oneself',
  cancelDownload: 'a file that one asked for',
  keepAlarmView: 'a filter of one’s own list',
  liveTicket: 'to watch what one may see',
  grantControl: 'each wrong control password is written where it is judged',
  screenBeat: 'a wall that says that it is there',
  proveSession: 'each wrong password is written where it is judged',
  beginSecondFactor: 'each wrong password is written where it is judged',
  confirmSecondFactor: 'each wrong code is written where it is judged',
  renewRecoveryCodes: 'each wrong code is written where it is judged',
  removeAlarmView: 'a filter of one’s own list',
  removeSecondFactor: 'each wrong password and code is written where it is judged',
}

test('whoever is refused a change is in the audit log, but for what is stated here', () => {
  const changing = contract.allCalls.filter(
    ({ method, reads, permission }) => method !== 'GET' && reads !== true && permission !== 'public',
  )
  const names = changing.filter((call) => !contract.refusalLogged(call)).map(({ name }) => name)
  expect(names.toSorted()).toEqual(Object.keys(unlogged).toSorted())
})

test('whoever is refused a reading is not', () => {
  const reading = contract.allCalls.filter(({ method, reads }) => method === 'GET' || reads === true)
  expect(reading.filter(contract.refusalLogged)).toEqual([])
})

test('polls do not keep a session alive, everything else does', () => {
  const polls = contract.allCalls.filter(({ keepsAlive }) => keepsAlive === false).map(({ name }) => name)
  expect(polls.toSorted()).toEqual([
    'alarmFlood',
    'campaignDetails',
    'campaignUpgrades',
    'countWarnings',
    'dayOfTimers',
    'downloadProgress',
    'getLinkage',
    'getTimer',
    'isNewMessage',
    'lateTimers',
    'linkageLog',
    'linkagePermit',
    'listRuns',
    'liveTicket',
    'queryLinkages',
    'queryScenes',
    'queryTimers',
    'sceneLog',
    'scenePermit',
    'scenesAbout',
    'screenBeat',
    'screenView',
    'taggedLines',
    'timerPlan',
    'timersAbout',
  ])
})
