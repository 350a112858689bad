import type { UserInfo } from '@linewarden/contract'
import { create } from 'zustand'
import { remember } from './remembered.ts'

interface SessionState {
  readonly userId: string
  readonly token: string
  /** Null until fetched: the guard does that. */
  readonly user: UserInfo | null
  /** The former session ended by itself, not by signing out: the login page says so until somebody signs in. */
  readonly over: boolean
}

const key = 'linewarden.session'
const none: SessionState = { userId: '', token: '', user: null, over: false }

/** Who is signed in on this device. */
export const useSession = create<SessionState>(() => ({ ...none, ...read() }))

export function begin(userId: string, token: string): void {
  localStorage.setItem(key, JSON.stringify({ userId, token }))
  useSession.setState({ userId, token, user: null, over: false })
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

/** Signed out on purpose: this device is not to come back by itself. */
export function leave(): void {
  remember(undefined)
  end()
}

function end(): void {
  localStorage.removeItem(key)
  useSession.setState(none)
}

/** Ended by the server. It is kept, so that a page loaded anew and the other tabs can say it too. */
export function expire(): void {
  localStorage.setItem(key, JSON.stringify({ over: true }))
  useSession.setState({ ...none, over: true })
}

// What one tab does is true for all of this device: signing in, and signing out.
addEventListener('storage', (event) => {
  const kept = event.key === key && { ...none, ...read() }
  if (kept && kept.token !== useSession.getState().token) useSession.setState(kept)
})

/** Called when another account, or nobody, is signed in: what was fetched for the former one is to be forgotten. */
export const onSessionChange = (forget: () => void): (() => void) =>
  useSession.subscribe((now, before) => {
    if (now.token !== before.token) forget()
  })

function read(): Pick<SessionState, 'over'> | Pick<SessionState, 'userId' | 'token'> | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return null
    if ('over' in kept) return { over: true }
    if (!('userId' in kept) || !('token' in kept)) return null
    return typeof kept.userId === 'string' && typeof kept.token === 'string' ? { userId: kept.userId, token: kept.token } : null
  } catch {
    return null
  }
}
