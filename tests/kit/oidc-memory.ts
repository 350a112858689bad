import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

interface Kept {
  readonly payload: AdapterPayload
  readonly expiresAt: number
}

/** What a provider of the tests remembers, for as long as it runs. */
export function oidcMemory(): AdapterFactory {
  const kept = new Map<string, Kept>()
  const alive = (key: string) => {
    const each = kept.get(key)
    return each && each.expiresAt > Date.now() ? each.payload : undefined
  }
  return (model: string): Adapter => {
    const keyOf = (id: string) => `${model}:${id}`
    const having = (field: 'uid' | 'userCode', value: string) =>
      [...kept.keys()].map((key) => (key.startsWith(keyOf('')) ? alive(key) : undefined)).find((each) => each?.[field] === value)
    return {
      upsert: async (id, payload, expiresIn) => {
        kept.set(keyOf(id), { payload, expiresAt: expiresIn ? Date.now() + expiresIn * 1_000 : Number.POSITIVE_INFINITY })
      },
      find: async (id) => alive(keyOf(id)),
      findByUid: async (uid) => having('uid', uid),
      findByUserCode: async (userCode) => having('userCode', userCode),
      consume: async (id) => {
        const payload = alive(keyOf(id))
        if (payload) payload.consumed = Math.floor(Date.now() / 1_000)
      },
      destroy: async (id) => void kept.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}
