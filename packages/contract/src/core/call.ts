import type { Static, TSchema } from 'typebox'
import type { NamedSubject } from '../subjects/named-subject.ts'
import type { Area } from './names.ts'
import type { ButtonPermission, PagePermission } from './privileges.ts'
import type { Resource } from './resource.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may make the call. `public`: nobody is known yet. `session`: any signed-in account. `platform`: who runs the installation. `screen`: a
 * wall that a link opened. Otherwise the page or button permission of the specification's section 6. Denied by default: a call must name one.
 */
export type Permission = 'public' | 'session' | 'platform' | 'screen' | PagePermission | ButtonPermission

/**
 * What the call touches, checked against the actor's own tree before the handler runs. `own`: only the actor's own things, or a list
 * the handler filters by the actor's tree. The others name the parameter (path, query or body) that carries the id.
 */
export type Scope =
  | { readonly kind: 'none' }
  | { readonly kind: 'own' }
  /**
   * `part`: somebody who sees only single gateways of the project may ask too, and the handler shows no others. Without it such a project
   * answers as if it did not exist.
   */
  | { readonly kind: 'project'; readonly id: string; readonly optional?: boolean; readonly part?: true }
  | { readonly kind: 'gateway'; readonly id: string; readonly optional?: boolean }
  | { readonly kind: 'group'; readonly id: string; readonly optional?: boolean }
  /** Projects that go into a group. */
  | { readonly kind: 'projects'; readonly id: string; readonly group: string }
  /** Gateways that go into a project. */
  | { readonly kind: 'gateways'; readonly id: string; readonly project: string }
  /** A device, whatever its family. */
  | { readonly kind: 'controller'; readonly id: string }
  /** A device of a family that answers `spec`, a call of the specification's section 7; any other device does not exist there. */
  | { readonly kind: 'device'; readonly id: string; readonly spec: string }
  /** `line` absent: the device itself, line 0. */
  | { readonly kind: 'line'; readonly device: string; readonly line?: string }
  /** A list of `{ ControllerID, LineNo }`: each must be seen. */
  | { readonly kind: 'lines'; readonly id: string }
  | { readonly kind: 'event'; readonly id: string }

/** One call of the API as data: both ends, the documentation and the generated tests read it. */
export interface Call {
  readonly name: string
  readonly method: Method
  /** Below /api/v1, with `:Name` parameters. */
  readonly path: string
  readonly area: Area
  readonly permission: Permission
  /** Other pages that read with it: whoever may open one of them may make it, too. Only for what changes nothing. */
  readonly alsoFor?: readonly PagePermission[]
  /** A wall that a link opened may make it, too: it reads, and no call without this. */
  readonly onWalls?: true
  readonly scope: Scope
  readonly summary: string
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** The reply's `Data`. */
  readonly data?: TSchema
  /** One element of the reply's `Datas`; such a reply also carries `Total`. */
  readonly datas?: TSchema
  /** What is said of such a list as a whole: the reply's `About`. */
  readonly about?: TSchema
  /** It answers a file as it is, of one of these types, and no envelope; what refuses it is one all the same. */
  readonly file?: readonly string[]
  /** A POST that only reads. Whatever else is not GET changes something, and a shared account may not. */
  readonly reads?: true
  /**
   * False: it moves, sets and locks no equipment, and opens nobody a way to it. Of a call that changes something and does not say so the
   * opposite is taken for granted.
   */
  readonly movesEquipment?: false
  /** Of a call that reads: what its answer shows. */
  readonly shows?: readonly Resource[]
  /** Of a call that changes something: what is to be read again after it, also where that is nothing. */
  readonly touches?: readonly Resource[]
  /** What it is about, in the audit log: see `subjectsOf`. Left out: what its scope names. */
  readonly subject?: readonly NamedSubject[]
  /** Whoever is refused this is in the audit log; orders to equipment always are. */
  readonly audited?: true
  /** The largest body it reads; without it `bodyLimitOf` says. */
  readonly maxBodyBytes?: number
  /** A poll does not keep a session alive, unless its caller says that somebody is there (`attendedHeader`). */
  readonly keepsAlive?: false
  /** Answered also to somebody who has yet to set up the second factor that this installation asks of them. */
  readonly enrolling?: true
  /** Answered also to somebody who has yet to change a password that somebody else gave. */
  readonly changingPassword?: true
  /** Errors of this call are not shown to the person (specification section 8). */
  readonly silent?: true
}

/** Declares a call; identity at run time, it only pins the type. A build drops the calls that it does not make. */
/* @__NO_SIDE_EFFECTS__ */
export const call = <const C extends Call>(description: C): C => description

/** Whether equipment may move by this call, or a way to it be opened: a session that never gave its password gives it first. */
export const mayMoveEquipment = ({ method, reads, movesEquipment }: Pick<Call, 'method' | 'reads' | 'movesEquipment'>): boolean =>
  method !== 'GET' && reads !== true && movesEquipment !== false

type StaticOf<S> = S extends TSchema ? Static<S> : never
type Part<C extends Call, K extends 'params' | 'query' | 'body'> = C extends { readonly [P in K]: TSchema }
  ? { readonly [P in K]: StaticOf<C[K]> }
  : unknown

/** What a caller passes: exactly the parts the call declares. */
export type Request<C extends Call> = Part<C, 'params'> & Part<C, 'query'> & Part<C, 'body'>

/** What a caller gets: `Data`, or `Datas` with `Total`, or a file, or nothing. */
export type Reply<C extends Call> = C extends { readonly data: TSchema }
  ? StaticOf<C['data']>
  : C extends { readonly datas: TSchema }
    ? List<StaticOf<C['datas']>> & (C extends { readonly about: TSchema } ? { readonly about: StaticOf<C['about']> } : unknown)
    : C extends { readonly file: readonly string[] }
      ? FileReply
      : null

/** A file as it is. */
export interface FileReply {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** What it is called by: its content is never another. */
  readonly tag: string
}

export interface List<T> {
  readonly items: readonly T[]
  readonly total: number
}

export const basePath = '/api/v1'

/** Of calls that carry pictures, firmware or lists that were made elsewhere. */
export const largeBodyBytes = 1_048_576
/** Of calls that name several hundred lines. */
export const listBodyBytes = 262_144

/** The largest body that is read of a call: a stranger's is small, and a larger one is said to be needed. */
export const bodyLimitOf = ({ permission, maxBodyBytes }: Pick<Call, 'permission' | 'maxBodyBytes'>): number =>
  maxBodyBytes ?? (permission === 'public' ? 4_096 : 65_536)

/**
 * With it a console says whether somebody is at it, `yes` or `no`: whatever it asks by itself keeps no session alive, and whatever it asks
 * while a person works in it does. Of a caller that says neither, every call does but the polls.
 */
export const attendedHeader = 'Linewarden-Attended'

/** The request path of a call with its parameters filled in and encoded, below the host: `/api/v1/lines/D-1/2/trip`. */
export function pathOf(target: Call, params: Readonly<Record<string, unknown>> = {}): string {
  const filled = target.path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === null || value === '') throw new Error(`${target.name}: parameter ${name} is missing`)
    return encodeURIComponent(String(value))
  })
  return basePath + filled
}
