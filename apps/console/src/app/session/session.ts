import type { UserInfo } from '@linewarden/contract'
import { create } from 'zustand'
import { forgetKeys } from '../offline/db.ts'
import { hasPhoneRounds } from '../offline/phone-id.ts'
import { forgetPicture } from '../offline/wall-picture.ts'
import { remember } from './remembered.ts'

interface SessionState {
  readonly userId: string
  readonly token: string
  /** Null until fetched: the guard does that. */
  readonly user: UserInfo | null
  /** What the login page says of the former session until somebody signs in. */
  readonly over: Over | null
  /** This tab is a wall that a link opened, and nobody’s: nothing of it is kept as a session of this device. */
  readonly seated: boolean
}

/** It ended by itself, not by signing out; or it was left here, and the server did not confirm that it has ended. */
type Over = 'expired' | 'unheard'

const key = 'linewarden.session'
const none: SessionState = { userId: '', token: '', user: null, over: null, seated: false }

/** Who is signed in on this device. */
export const useSession = create<SessionState>(() => ({ ...none, ...read() }))

let left = false

/** Whether whoever was signed in here has signed out: who comes next begins at their own beginning, not where the other was. */
export const hasLeft = (): boolean => left

export function begin(userId: string, token: string): void {
  left = false
  localStorage.setItem(key, JSON.stringify({ userId, token }))
  useSession.setState({ userId, token, user: null, over: null, seated: false })
}

/** This tab signs as the seat of a wall from now on; `user` is what its pages ask a person’s rights of. */
export const sit = (userId: string, token: string, user: UserInfo): void =>
  useSession.setState({ userId, token, user, over: null, seated: true })

/** It does no more. Whatever was fetched for it is forgotten, and so is what this device kept of its picture. */
export function rise(): void {
  forgetPicture()
  useSession.setState(none)
}

/** The same session goes on under another token. */
export function renew(token: string): void {
  const { userId } = useSession.getState()
  localStorage.setItem(key, JSON.stringify({ userId, token }))
  useSession.setState({ token })
}

const companyKey = 'linewarden.company'

/** Who is signed in, as the server says. Whose installation it is stays known for the page titles of this tab. */
export function setUser(user: UserInfo): void {
  if (user.Company) sessionStorage.setItem(companyKey, JSON.stringify(user.Company))
  else sessionStorage.removeItem(companyKey)
  useSession.setState({ user })
}

/** Whether company details are known in this tab (specification section 2: the page title depends on it). */
export const hasCompany = (): boolean => sessionStorage.getItem(companyKey) !== null

let ends = false

/** Whether this session is just being ended on purpose. */
export const isEnding = (): boolean => ends

/** Does what ends this session on purpose: that the server says so meanwhile is no news. */
export async function ending<T>(work: () => Promise<T>): Promise<T> {
  ends = true
  try {
    return await work()
  } finally {
    ends = false
  }
}

/** Signed out on purpose: this device is not to come back by itself. `isEnded`: the server has ended the session, too. */
export function leave(isEnded: boolean): void {
  remember(undefined)
  end(isEnded ? null : 'unheard')
}

/** Ended by the server. */
export const expire = (): void => end('expired')

/** What there is to say of it is kept, so that a page loaded anew and the other tabs can say it too. */
function end(over: Over | null): void {
  // What this device keeps of the account stays, and nobody here can read it until the same account is back (docs/adr/0142).
  if (hasPhoneRounds()) void forgetKeys().catch(reportError)
  left = over !== 'expired'
  forgetPicture()
  if (over === null) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify({ over }))
  useSession.setState({ ...none, over })
}

// What one tab does is true for all of this device: signing in, and signing out.
addEventListener('storage', (event) => {
  if (event.key === key) lookAgain()
})

/** What another tab did may be kept already, and not told yet. */
export function lookAgain(): void {
  if (useSession.getState().seated) return
  const kept = { ...none, ...read() }
  if (kept.token === useSession.getState().token) return
  left = kept.token === '' && kept.over !== 'expired'
  useSession.setState(kept)
}

/** Called when another account, or nobody, is signed in: what was fetched for the former one is to be forgotten. */
export const onSessionChange = (forget: (now: SessionState) => void): (() => void) =>
  useSession.subscribe((now, before) => {
    if (now.userId !== before.userId) forget(now)
  })

function read(): Pick<SessionState, 'over'> | Pick<SessionState, 'userId' | 'token'> | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return null
    if ('over' in kept) return { over: kept.over === 'unheard' ? 'unheard' : 'expired' }
    if (!('userId' in kept) || !('token' in kept)) return null
    return typeof kept.userId === 'string' && typeof kept.token === 'string' ? { userId: kept.userId, token: kept.token } : null
  } catch {
    return null
  }
}
