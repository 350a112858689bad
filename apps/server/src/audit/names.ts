import type { AuditSubject, SubjectKind } from '@linewarden/contract'
import { actionName, maxNamed, operationIn, subjectKinds, subjectTyped, subjectWords } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { Actor } from '../access/actor.ts'
import { writtenAs } from '../store/audit/append.ts'
import type { Owner } from '../store/core/tenant.ts'

/** What an area knows of a kind of thing that the audit log tells of. */
export interface SubjectSource {
  /** What those of these ids are called now that are there and that the actor sees. */
  readonly named: (actor: Actor, ids: readonly string[]) => Names | Promise<Names>
  /** All that the actor sees and that may be called so, with its name; left out: it is not searched by its name. */
  readonly called?: (actor: Actor, mayBe: (name: string) => boolean) => Iterable<Named> | Promise<Iterable<Named>>
  /** Whose it is; undefined: there is no such thing, or nobody owns one. */
  readonly ownerOf?: (id: string) => Owner | Promise<Owner>
}

export type Names = ReadonlyMap<string, Text>
type Named = readonly [id: string, name: Text]

/** One of each kind: what no area answers for does not compile. */
export type SubjectSources = Readonly<Record<SubjectKind, SubjectSource>>

/** Of a kind whose entries say all there is to say. */
export const unnamed: SubjectSource = { named: () => new Map() }

export const sameText = (text: string): Text => ({ zh: text, en: text })

interface Entry {
  readonly subject: AuditSubject
  readonly target: string
}

export interface Called {
  readonly subjects: readonly AuditSubject[]
  /** Whether all names were looked through, more was found than is asked for, or the part is too short for names. */
  readonly names: 'all' | 'cut' | 'short'
}

/** Nobody searches by a name. */
export const allNames: Called = { subjects: [], names: 'all' }

/** A search for less would find most of what there is. */
const minCharacters = 2

const kinds = Object.keys(subjectKinds) as readonly SubjectKind[]

/** What entries of the log are about for people: with the names that things have now, as far as somebody sees them. */
export function createSubjectNames(sources: SubjectSources) {
  return {
    /** What each entry is about in words, in their order. */
    async labels(actor: Actor, entries: readonly Entry[]): Promise<readonly Text[]> {
      const named = await namesOf(
        actor,
        entries.flatMap(({ subject }) => parts(subject)),
      )
      return entries.map(({ subject, target }) => labelOf(subject, target, named))
    },

    /**
     * All that is there, that the actor sees and that is shown with this part in either language, but not what holds it as it is written. Not
     * more than so many, and none by a single character: `names` says so.
     */
    async called(actor: Actor, part: string): Promise<Called> {
      const wanted = part.trim().toLowerCase()
      if (wanted === '') return allNames
      if ([...wanted].length < minCharacters) return { subjects: [], names: 'short' }
      const found: AuditSubject[] = []
      // One more is looked for, to know whether there are more.
      for await (const subject of subjectsCalled(actor, wanted)) if (found.push(subject) > maxNamed) break
      const typed = subjectTyped(part)
      const subjects = found.slice(0, maxNamed)
      return { subjects: typed ? [...subjects, typed] : subjects, names: found.length > maxNamed ? 'cut' : 'all' }
    },
  }

  async function namesOf(actor: Actor, subjects: readonly AuditSubject[]): Promise<ReadonlyMap<SubjectKind, Names>> {
    const byKind = Map.groupBy(subjects, ({ kind }) => kind)
    const named = [...byKind].map(async ([kind, those]) => {
      const ids = [...new Set(those.map(({ id }) => id))]
      return [kind, await sources[kind].named(actor, ids)] as const
    })
    return new Map(await Promise.all(named))
  }

  /** What the actor sees and is shown with this, which is in lower case. */
  async function* subjectsCalled(actor: Actor, wanted: string): AsyncGenerator<AuditSubject> {
    // Of hundreds of thousands of names: a fifth of the time that writing each of them small takes.
    const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu')
    const contains = (text: string) => pattern.test(text)
    for (const kind of kinds) {
      // Equipment is shown as its number, a dot and its name: without a dot the name alone can hold it.
      const byName = !('labelled' in subjectKinds[kind]) && kind !== 'push' && !wanted.includes('·')
      for (const [id, name] of (await sources[kind].called?.(actor, byName ? contains : isNamed)) ?? []) {
        const subject = { kind, id } as AuditSubject
        if (contains(writtenAs(subject))) continue
        const outer = await namesOf(actor, parts(subject).slice(1))
        const { zh, en } = labelOf(subject, id, new Map([...outer, [kind, new Map([[id, name]])]]))
        if (contains(zh) || (en !== zh && contains(en))) yield subject
      }
    }
  }
}

const isNamed = (name: string): boolean => name !== ''

/** A subject, and what else stands in its label. */
function parts(subject: AuditSubject): readonly AuditSubject[] {
  const within = subject.kind === 'operation' ? operationIn(subject.id)?.on : projectOf(subject)
  return within ? [subject, within] : [subject]
}

const projectOf = ({ kind, id }: AuditSubject): AuditSubject | undefined =>
  kind === 'push' ? { kind: 'project', id: `${Number(id.split('/')[0])}` } : undefined

/** What an entry is about in words, with the names that things have now. */
function labelOf(subject: AuditSubject, target: string, named: ReadonlyMap<SubjectKind, Names>): Text {
  const { kind, id } = subject
  if (kind === 'nothing' || kind === 'account' || kind === 'accountId') return sameText(target)
  if (kind === 'operation') {
    const asked = operationIn(id)
    return asked ? joined(actionName(asked.action), labelOf(asked.on, asked.on.id, named)) : sameText(target)
  }
  const name = named.get(kind)?.get(id)
  const words = name ? joined(subjectWords(subject), name) : subjectWords(subject)
  const project = projectOf(subject)
  return project ? joined(labelOf(project, '', named), words) : words
}

const joined = (first: Text, second: Text): Text => ({ zh: `${first.zh} · ${second.zh}`, en: `${first.en} · ${second.en}` })
