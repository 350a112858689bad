import { authorizationOf, makeNonce } from '@linewarden/contract'

export interface Sent {
  readonly method?: string
  readonly path: string
  readonly body?: string
  readonly nonce?: string
  readonly timeStamp?: number
  readonly token?: string
  readonly userId?: string
  /** Null: no header. */
  readonly authorization?: string | null
  readonly type?: string
  /** As a proxy, or whoever pretends to be one, would send it. */
  readonly forwardedFor?: string
}

/** A request made by hand, signed well unless said otherwise. */
export async function sendRaw(baseUrl: string, session: { userId: string; token: string }, sent: Sent) {
  const { method = 'GET', path, body = '' } = sent
  const made = authorizationOf({
    nonce: sent.nonce ?? makeNonce(),
    timeStamp: sent.timeStamp ?? Math.floor(Date.now() / 1000),
    userId: sent.userId ?? session.userId,
    token: sent.token ?? session.token,
    method,
    path,
    body,
  })
  const headers: Record<string, string> = sent.authorization === null ? {} : { Authorization: sent.authorization ?? made }
  if (body !== '') headers['Content-Type'] = sent.type ?? 'application/json'
  if (sent.forwardedFor !== undefined) headers['X-Forwarded-For'] = sent.forwardedFor
  const reply = await fetch(baseUrl + path, { method, headers, ...(body !== '' && { body }) })
  return {
    status: reply.status,
    envelope: (await reply.json()) as {
      Code: number
      Message: string
      Text?: { zh: string; en: string }
      Problems?: { Path: string }[]
    },
  }
}
