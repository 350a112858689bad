import type { AuditSubject, Call, NamedSubject, SubjectKind } from '@linewarden/contract'
import { aboutNothing, subjectKinds, subjectsOf } from '@linewarden/contract'
import { writtenAs } from '../store/audit/append.ts'
import type { Owner } from '../store/core/tenant.ts'
import type { SubjectSources } from './names.ts'

/** A request that nobody has checked: it may be anything that JSON can say. */
export type Given = Readonly<Record<string, unknown>>

/** What a refused request was about, as it named it. */
export interface Claimed {
  readonly subject: AuditSubject
  readonly target: string
}

const maxTarget = 128

/** The first thing that a request names, as its call says where. */
export function claimedBy(call: Call, given: Given): Claimed {
  for (const named of subjectsOf(call)) {
    const things = thingsIn(named, given)
    const [first] = things
    if (!first) continue
    const target = things.map(({ written }) => written).join(' ')
    return { subject: (things.length === 1 && first.subject) || aboutNothing, target: target.slice(0, maxTarget) }
  }
  return { subject: aboutNothing, target: '' }
}

/**
 * Whose the things are that a request names, as its call says where; undefined when they are nobody's, or not all of one owner. For whoever
 * sees everything: to anybody else the answer would tell what there is.
 */
export async function ownerClaimed(sources: SubjectSources, call: Call, given: Given): Promise<Owner> {
  const owners = new Set<Owner>()
  for (const named of subjectsOf(call)) {
    if ('owner' in named) {
      const owner = await sources.accountId.ownerOf?.(wordOf(fieldOf(given, named.owner)))
      // Made for nobody it is the installation's own, also with somebody's role.
      if (owner === undefined) return null
      owners.add(owner)
    }
    for (const { subject } of thingsIn(named, given)) if (subject) owners.add(await sources[subject.kind].ownerOf?.(subject.id))
  }
  owners.delete(undefined)
  return owners.size === 1 ? [...owners][0] : undefined
}

interface Thing {
  /** Null: no such thing can be. */
  readonly subject: AuditSubject | null
  readonly written: string
}

function thingsIn(named: NamedSubject, given: Given): readonly Thing[] {
  if ('owner' in named) return []
  if ('called' in named) {
    const name = wordOf(fieldOf(given, named.called))
    return name === '' ? [] : [{ subject: null, written: name }]
  }
  if (named.kind === 'line') {
    if (!('each' in named)) return lineOf(fieldOf(given, named.device), fieldOf(given, named.line))
    return listed(fieldOf(given, named.each)).flatMap((each) => {
      const { ControllerID, LineNo } = each as Given
      return lineOf(ControllerID, LineNo)
    })
  }
  if (named.kind === 'push') {
    const [project, id] = [wordOf(fieldOf(given, named.project)), wordOf(fieldOf(given, named.id))]
    if (id === '') return []
    const isPush = isNumber(project) && isNumber(id)
    return [
      {
        subject: isPush ? { kind: 'push', id: `${Number(project)}/${Number(id)}` } : null,
        written: `project ${project} push ${id}`,
      },
    ]
  }
  return listed(fieldOf(given, named.id)).flatMap((each) => {
    const id = wordOf(each)
    return id === '' ? [] : [thingOf(named.kind, id)]
  })
}

function thingOf(kind: Exclude<SubjectKind, 'push' | 'line'>, id: string): Thing {
  const isId =
    subjectKinds[kind].id === 'number'
      ? isNumber(id, kind === 'event' ? Number.POSITIVE_INFINITY : undefined)
      : id.length <= maxTarget
  const subject = { kind, id } as AuditSubject
  // As requests write them, which give the number alone.
  return { subject: isId ? subject : null, written: kind === 'project' || kind === 'gatewayId' ? id : writtenAs(subject) }
}

function lineOf(device: unknown, line: unknown): readonly Thing[] {
  const [controllerId, lineNo] = [wordOf(device), wordOf(line)]
  if (lineNo === '') return controllerId === '' ? [] : [thingOf('device', controllerId)]
  const written = `${controllerId}/${lineNo}`
  const isLine = /^\d{1,4}$/.test(lineNo) && controllerId !== '' && written.length <= maxTarget
  return [{ subject: isLine ? { kind: 'line', id: `${controllerId}/${Number(lineNo)}` } : null, written }]
}

/** So many of a list: what is written of it is shorter. */
const maxListed = 2_000

const listed = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : [value]).slice(0, maxListed).map((each) => each ?? {})

const fieldOf = (given: Given, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => {
    const of = (each: unknown) => (isGiven(each) && Object.hasOwn(each, key) ? each[key] : undefined)
    return Array.isArray(value) ? value.slice(0, maxListed).map(of) : of(value)
  }, given)

const isGiven = (value: unknown): value is Given => typeof value === 'object' && value !== null && !Array.isArray(value)

const wordOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const isNumber = (id: string, most = 2 ** 31): boolean => /^[1-9]\d{0,17}$/.test(id) && Number(id) < most
