import type { Client } from '@linewarden/client'
import { CallError, createClient } from '@linewarden/client'
import type { Call } from '@linewarden/contract'
import { specifiedMessages } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import i18next from 'i18next'
import { localised } from '../../ui/i18n.ts'
import { setServerSecond } from '../../ui/use-now.ts'
import { useSession } from '../session/session.ts'
import { sessionOver } from '../session/session-over.ts'
import { unanswered } from './connectivity.ts'
import { askProof } from './proof.ts'
import { touched } from './touched.ts'
import { isUserActive } from './user-activity.ts'

const client = createClient({
  baseUrl: location.origin,
  session: () => {
    const { userId, token } = useSession.getState()
    return token === '' ? null : { userId, token }
  },
  attended: isUserActive,
  onSessionEnd: sessionOver,
  onServerTime: setServerSecond,
})

const asksPassword: ReadonlySet<string> = new Set(['password needed', 'password again'])

type Answer = (target: Call, request: unknown) => Promise<unknown> | undefined
let onWall: Answer | undefined

/** What a wall that a link opened has of a call that it may not make; `undefined`: it makes it. */
export const answerOnWall = (answer: Answer): void => {
  onWall = answer
}

/** A call for which the password is needed first asks for it, and goes on. Nothing is read again after it: that is for `api` and `change`. */
export const send: Client['call'] = async (...made) => {
  const given: readonly unknown[] = made
  const instead = useSession.getState().seated ? onWall?.(made[0], given[1]) : undefined
  if (instead) return (await instead) as never
  try {
    return await client.call(...made)
  } catch (error) {
    if (error instanceof CallError && error.problem.kind !== 'http' && error.problem.kind !== 'refusal') unanswered()
    const mayGoOn = error instanceof CallError && asksPassword.has(error.message) && (await askProof())
    if (mayGoOn) return client.call(...made)
    throw error
  }
}

/** The one signed caller of the console. What a call touches is read again once it has ended. */
export const api: Client = {
  baseUrl: client.baseUrl,
  call: async (...made) => {
    try {
      return await send(...made)
    } finally {
      void touched(made[0])
    }
  },
}

/** For what a person does not wait for: on a dead network it is given up long before anybody would. */
export const briefly = { timeoutMs: 3_000 } as const

const named = ['400', '401', '403', '404', '408', '500', '501', '502', '503', '504', '505'] as const

/** What to tell a person about a failed call (specification section 8). */
export function messageOf(error: unknown): string {
  if (!(error instanceof CallError)) return i18next.t('app:failed')
  const { problem } = error
  if (problem.kind === 'refusal') {
    const { Text = specified(error.message), Problems } = problem.failure
    const details = (Problems ?? []).map((each) => `${each.Path} ${localised(each.Text)}`)
    return [Text ? localised(Text) : error.message, ...details].join(i18next.t('app:semicolon'))
  }
  if (problem.kind !== 'http') return i18next.t('http:none')
  const status = named.find((each) => each === String(problem.status))
  return status ? i18next.t(`http:h${status}`) : i18next.t('http:other', { status: problem.status })
}

/** What a message means that came without its text. */
const specified = (key: string): Text | undefined =>
  Object.hasOwn(specifiedMessages, key) ? specifiedMessages[key as keyof typeof specifiedMessages] : undefined
