import type { Text } from '@linewarden/equipment'
import type { Static, TProperties, TSchema } from 'typebox'
import type { Folded } from '../terms/fold.ts'
import type { ReportKindData } from '../terms/report-kind.ts'
import type { Call } from './call.ts'
import type { Area, actionNames, refusals, subjectKinds } from './names.ts'
import type { placedPages } from './pages.ts'
import type { ReportKind } from './reports.ts'

type Calls = Readonly<Record<string, Call>>

/** What comes live of an area: by the kind of the message what it carries. */
export type LiveKinds = Readonly<Record<string, TProperties>>

/** What the area's `names.ts` offers. */
interface Names {
  readonly subjects?: object
  readonly actions?: Readonly<Record<string, Text>>
  readonly refusedCalls?: Readonly<Record<string, Text>>
  readonly refusals?: object
}

/** Everything of one area that both ends know. */
export interface Manifest {
  readonly name: Area
  readonly pages?: object
  readonly calls: Calls
  readonly names?: Names
  readonly live?: LiveKinds
  /** Reports of it that can go out by themselves. */
  readonly reports?: Readonly<Record<string, ReportKindData>>
}

/** Calls whose refusal is logged: `refusalLogged` says the same at run time. */
type Logged<C extends Calls> = {
  [K in keyof C]: C[K] extends { readonly audited: true }
    ? K
    : C[K] extends { readonly method: 'GET' } | { readonly reads: true } | { readonly movesEquipment: false }
      ? never
      : C[K] extends { readonly permission: 'session' }
        ? never
        : K
}[keyof C]

type KeysOf<N, P extends string> = N extends { readonly [K in P]: infer Kind } ? keyof Kind : never

/** What is wrong with a manifest, by what is to be mended. */
type Mistakes<M extends Manifest> = {
  readonly 'has no name among refusedCalls': Exclude<Logged<M['calls']>, KeysOf<M['names'], 'refusedCalls'>>
  readonly 'is named, but no refusal of it is logged': Exclude<KeysOf<M['names'], 'refusedCalls'>, Logged<M['calls']>>
  readonly 'does not say what it touches': {
    [K in keyof M['calls']]: M['calls'][K] extends
      | { readonly method: 'GET' }
      | { readonly reads: true }
      | { readonly touches: unknown }
      ? never
      : K
  }[keyof M['calls']]
  readonly 'is called otherwise, or of another area': {
    [K in keyof M['calls']]: M['calls'][K] extends { readonly name: K; readonly area: M['name'] } ? never : K
  }[keyof M['calls']]
  readonly 'is not folded in core/names.ts, core/pages.ts or core/reports.ts':
    | Exclude<KeysOf<M, 'pages'>, keyof typeof placedPages>
    | Exclude<KeysOf<M, 'reports'>, ReportKind>
    | Exclude<KeysOf<M['names'], 'subjects'>, keyof typeof subjectKinds>
    | Exclude<KeysOf<M['names'], 'actions'>, keyof typeof actionNames>
    | Exclude<KeysOf<M['names'], 'refusedCalls'>, keyof typeof actionNames>
    | Exclude<KeysOf<M['names'], 'refusals'>, keyof typeof refusals>
}
type Mended<T> = { [K in keyof T as [T[K]] extends [never] ? never : K]: T[K] }

/** Declares an area. A call without the names that it needs, and a name that nothing folds, do not compile. */
/* @__NO_SIDE_EFFECTS__ */
export const area = <const M extends Manifest>(manifest: M & Mended<Mistakes<M>>): M => manifest

type CallsOf<T> = { readonly [K in keyof T as T[K] extends Call ? K : never]: T[K] }

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'permission' in value

/** The calls among what these files offer. */
/* @__NO_SIDE_EFFECTS__ */
export const callsIn = <const F extends readonly object[]>(...files: F): CallsOf<Folded<F>> =>
  Object.fromEntries(files.flatMap((file) => Object.entries(file).filter(([, value]) => isCall(value)))) as CallsOf<Folded<F>>

/** The messages of these kinds, as they go over the socket. */
export type MessagesOf<L extends LiveKinds> = {
  readonly [K in keyof L]: { readonly t: K } & { readonly [F in keyof L[K]]: L[K][F] extends TSchema ? Static<L[K][F]> : never }
}[keyof L]
