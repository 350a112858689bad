import type { AuditAction } from '@linewarden/contract'
import { actionNames, allCalls, inspect } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'

/** What an entry of the log is about, as far as its action and its target say so. */
export type Thing =
  | { readonly is: Numbered; readonly id: number }
  | { readonly is: 'event'; readonly id: string }
  | { readonly is: 'push'; readonly id: number; readonly projectId: number }
  /** Equipment by the number that stands on it. Of an inspection it may be a gateway or a controller: the target does not say which. */
  | { readonly is: 'gateway number' | 'device' | 'gateway number or device'; readonly number: string }
  | { readonly is: 'line'; readonly controllerId: string; readonly lineNo: number }
  | { readonly is: 'lines'; readonly count: string; readonly batchId: string }
  /** What the control password was given for. */
  | { readonly is: 'operation'; readonly action: AuditAction; readonly target: string; readonly line: Thing | null }

type Numbered = keyof typeof numberedWords

/** Things that stand in the log by a number of the database, as it is written there. */
const numberedWords = {
  project: { zh: '项目', en: 'Project' },
  group: { zh: '分组', en: 'Group' },
  role: { zh: '角色', en: 'Role' },
  campaign: { zh: '升级任务', en: 'Upgrade' },
  gateway: { zh: '网关', en: 'Gateway' },
} as const satisfies Readonly<Record<string, Text>>
const kindsNumbered = Object.keys(numberedWords) as readonly Numbered[]

type Reading = (target: string) => Thing | null

const numbered =
  (is: Numbered): Reading =>
  (target) => {
    const [, id] = new RegExp(`^${is} (\\d{1,9})$`).exec(target) ?? []
    return id === undefined ? null : { is, id: Number(id) }
  }

const push: Reading = (target) => {
  const [, projectId, id] = /^project (\d{1,9}) push (\d{1,9})$/.exec(target) ?? []
  return id === undefined ? null : { is: 'push', id: Number(id), projectId: Number(projectId) }
}

const equipment: Reading = (target) => {
  const [, controllerId, lineNo] = /^([^/ ]+)\/(\d{1,4})$/.exec(target) ?? []
  if (controllerId !== undefined) return { is: 'line', controllerId, lineNo: Number(lineNo) }
  return isOneWord(target) ? { is: 'device', number: target } : null
}

const setting: Reading = (target) => {
  const [, count, batchId] = /^(\d+) lines, (\S+)$/.exec(target) ?? []
  return count !== undefined && batchId !== undefined ? { is: 'lines', count, batchId } : equipment(target)
}

const inspection: Reading = (target) => (isOneWord(target) ? { is: 'gateway number or device', number: target } : null)

const gateway: Reading = (target) => (isOneWord(target) ? { is: 'gateway number', number: target } : null)

const firmware: Reading = (target) => numbered('campaign')(target) ?? numbered('gateway')(target) ?? gateway(target)

const event: Reading = (target) => (/^\d{1,18}$/.test(target) ? { is: 'event', id: target } : null)

/** Operations that are not those of a line or a run. */
const otherOperations: Readonly<Record<string, AuditAction>> = {
  reclosure: 'reclosure.set',
  set: 'setting.console',
  account: 'account.edit',
}

const operation: Reading = (target) => {
  const [, what = '', of = ''] = /^([A-Za-z]+):(.+?)(?:\/[0-9a-f]{64})?$/.exec(target) ?? []
  const actions = [`${of.startsWith('run/') ? 'run' : 'line'}.${what}`, otherOperations[what]]
  const action = actions.find((key): key is AuditAction => key !== undefined && Object.hasOwn(actionNames, key))
  return action
    ? { is: 'operation', action, target: of.replace(/^run\//, ''), line: what === 'set' ? null : equipment(of) }
    : null
}

const isOneWord = (target: string): boolean => /^[^/ ]+$/.test(target)

/** How the target of an action is written, by the topic of the action. Those of other topics are names already, or nothing. */
const byTopic: ReadonlyMap<string, Reading> = new Map([
  ['project', numbered('project')],
  ['group', numbered('group')],
  ['role', numbered('role')],
  ['push', push],
  ['firmware', firmware],
  ['gateway', gateway],
  ['inspection', inspection],
  ['line', equipment],
  ['device', equipment],
  ['trip', equipment],
  ['tag', equipment],
  ['token', equipment],
  ['selfTest', equipment],
  ['reclosure', equipment],
  ['setting', setting],
  ['event', event],
  ['control', operation],
])

/** What was refused stands there by the call's name with what the call named, which nobody has looked at. */
function refusedThing(name: string, target: string): Thing | null {
  const kind = scopes.get(name)
  if (kind === 'line' || kind === 'lines' || kind === 'controller' || kind === 'device') return equipment(target)
  // Of an inspection the number may be a gateway's or a controller's.
  if ((kind !== 'project' && kind !== 'gateway') || name === inspect.name) return null
  return numbered(kind)(`${kind} ${target}`)
}

const scopes = new Map(allCalls.map(({ name, scope }) => [name, scope.kind]))

/** What an entry is about; null where its target is a name already, or says nothing more. */
export function thingOf(action: string, target: string): Thing | null {
  const [topic = '', act] = action.split('.')
  return act === undefined ? refusedThing(action, target) : (byTopic.get(topic)?.(target) ?? null)
}

const same = (text: string): Text => ({ zh: text, en: text })

/** The target in words, with the names that things have now. */
export function labelOf(thing: Thing | null, target: string, nameOf: (thing: Thing) => Text | null): Text {
  if (!thing) return same(target)
  const called = (words: Text): Text => {
    const name = nameOf(thing)
    return name ? { zh: `${words.zh} · ${name.zh}`, en: `${words.en} · ${name.en}` } : words
  }
  switch (thing.is) {
    case 'event':
      return called({ zh: `事件 ${thing.id}`, en: `Event ${thing.id}` })
    case 'push': {
      const project = labelOf({ is: 'project', id: thing.projectId }, '', nameOf)
      return called({ zh: `${project.zh} · 推送订阅 ${thing.id}`, en: `${project.en} · Push subscription ${thing.id}` })
    }
    case 'gateway number':
    case 'device':
    case 'gateway number or device':
    case 'line':
      return called(same(target))
    case 'lines':
      return { zh: `${thing.count} 条线路 · ${thing.batchId}`, en: `${thing.count} lines · ${thing.batchId}` }
    case 'operation': {
      const { zh, en } = actionNames[thing.action]
      const of = labelOf(thing.line, thing.target, nameOf)
      return { zh: `${zh} · ${of.zh}`, en: `${en} · ${of.en}` }
    }
    default: {
      const { zh, en } = numberedWords[thing.is]
      return called({ zh: `${zh} ${thing.id}`, en: `${en} ${thing.id}` })
    }
  }
}

/** How a thing that is typed as it is shown, `项目 12`, stands in the log; null: it is typed otherwise. */
export function targetTyped(part: string): string | null {
  for (const kind of kindsNumbered) {
    const { zh, en } = numberedWords[kind]
    const [, id] = new RegExp(`^(?:${zh}|${en})\\s*(\\d{1,9})$`, 'i').exec(part.trim()) ?? []
    if (id !== undefined) return `${kind} ${Number(id)}`
  }
  return null
}
