import type { CallError } from '@linewarden/client'
import type { Call, MessageKey } from '@linewarden/contract'
import {
  downloadProgress,
  gasRealtime,
  infraredRealtime,
  isNewMessage,
  listEvents,
  messages,
  smokeDetails,
} from '@linewarden/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

/** What a browser has and these files ask for: nothing of ours is replaced. */
function browser(): void {
  const store = () => {
    const kept = new Map<string, string>()
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    }
  }
  vi.stubGlobal('localStorage', store())
  vi.stubGlobal('sessionStorage', store())
  vi.stubGlobal('location', { origin: 'http://console.example' })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('document', { documentElement: {} })
}

async function open(language: 'CN' | 'EN') {
  vi.resetModules()
  localStorage.setItem('linewarden.language', language)
  const [{ startTexts }, { firstTexts }] = await Promise.all([import('../../ui/i18n.ts'), import('../../areas/first-texts.ts')])
  startTexts(firstTexts)
  const [api, attempts, toasts, session, over] = await Promise.all([
    import('./api.ts'),
    import('./call-with-toast.ts'),
    import('../notify/toasts.tsx'),
    import('../session/session.ts'),
    import('../session/session-over.ts'),
  ])
  // Of the same making as the files under test: an error is known by its class.
  const client = await import('@linewarden/client')
  return { ...api, ...attempts, ...toasts, ...session, ...over, CallError: client.CallError }
}

type Opened = Awaited<ReturnType<typeof open>>
const refusal = (opened: Opened, key: MessageKey, status = 200): CallError =>
  new opened.CallError({ kind: 'refusal', status, failure: { Code: 0, Message: key, Text: messages[key] } })
const shown = ({ useToasts }: Opened) => useToasts.getState().toasts.map(({ kind, text }) => [kind, text])

beforeEach(() => {
  browser()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('an HTTP status, as a person reads it (specification section 8)', () => {
  test.each([
    [400, '请求错误', 'Bad request'],
    [401, '登录已过期，请重新登录', 'The session has expired. Sign in again'],
    [403, '拒绝访问', 'Access denied'],
    [404, '请求出错', 'The request failed'],
    [408, '请求超时', 'The request timed out'],
    [500, '请求出错', 'The request failed'],
    [501, '服务未实现', 'Not implemented'],
    [502, '网络错误', 'Network error'],
    [503, '服务不可用', 'The service is not available'],
    [504, '网络超时', 'The network timed out'],
    [505, 'HTTP 版本不受支持', 'HTTP version not supported'],
    [418, '连接出错（418）', 'Connection error (418)'],
  ])('%i', async (status, zh, en) => {
    for (const [language, words] of [
      ['CN', zh],
      ['EN', en],
    ] as const) {
      const opened = await open(language)
      expect(opened.messageOf(new opened.CallError({ kind: 'http', status }))).toBe(words)
    }
  })

  test.each(['network', 'timeout'] as const)('no answer at all: %s', async (kind) => {
    const opened = await open('CN')
    expect(opened.messageOf(new opened.CallError({ kind }))).toBe('服务器无响应，请求超时')
  })
})

describe('a refusal that came without its text', () => {
  const textOf = async (language: 'CN' | 'EN', failure: object) => {
    vi.stubGlobal('fetch', async () => Response.json({ Code: 0, ...failure }))
    const opened = await open(language)
    return opened.messageOf(await opened.api.call(listEvents, { body: {} }).catch((error: unknown) => error))
  }

  test.each([
    ['a message of the specification', 'Default City', '默认分组不能删除', 'The default group cannot be deleted'],
    ['the empty message', '', '设置失败', 'The setting failed'],
    ['no message at all', undefined, '设置失败', 'The setting failed'],
    ['another message, as it came', 'line busy', 'line busy', 'line busy'],
    ['what every object has, as it came', 'constructor', 'constructor', 'constructor'],
  ])('%s', async (_, Message, zh, en) => {
    expect([await textOf('CN', { Message }), await textOf('EN', { Message })]).toEqual([zh, en])
  })

  test('the text goes before the catalogue', async () => {
    expect(await textOf('EN', { Message: '', Text: { zh: '限值', en: 'The limit was not set' } })).toBe('The limit was not set')
  })
})

describe('a call that somebody asked for', () => {
  test('hands on what was answered, and says nothing', async () => {
    const opened = await open('CN')
    expect(await opened.callWithToast(Promise.resolve(7))).toEqual({ reply: 7 })
    expect(shown(opened)).toEqual([])
  })

  test('that is refused (Code 0) resolves false, and says why for two seconds', async () => {
    const opened = await open('CN')
    expect(await opened.callWithToast(Promise.reject(refusal(opened, 'Default City')))).toBe(false)
    expect(shown(opened)).toEqual([['refusal', '默认分组不能删除']])
    await vi.advanceTimersByTimeAsync(1_999)
    expect(shown(opened)).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(shown(opened)).toEqual([])
  })

  test.each([
    ['invalid parameter', 400, 'refusal'],
    ['device not exists', 404, 'refusal'],
    ['DeviceState:Nonexistent', 404, 'refusal'],
    ['user not admin', 403, 'refusal'],
    ['username exists', 200, 'refusal'],
    // Not of the specification's catalogue: their HTTP status is what they are.
    ['access denied', 403, 'error'],
    ['close not permitted', 409, 'error'],
    // Of it, but the server itself is in trouble.
    ['failed', 500, 'error'],
  ] as const)('that is refused with %j and status %i is told as: %s', async (key, status, kind) => {
    const opened = await open('CN')
    expect(await opened.callWithToast(Promise.reject(refusal(opened, key, status)))).toBe(false)
    expect(shown(opened)).toEqual([[kind, messages[key].zh]])
  })

  test('that failed on its way resolves false, and is an error', async () => {
    const opened = await open('EN')
    expect(await opened.callWithToast(Promise.reject(new opened.CallError({ kind: 'http', status: 502 })))).toBe(false)
    expect(shown(opened)).toEqual([['error', 'Network error']])
  })
})

describe('a call of which the contract says that it is silent', () => {
  test.each([
    [isNewMessage, []],
    [downloadProgress, []],
    [infraredRealtime, []],
    [gasRealtime, []],
    [smokeDetails, []],
    [listEvents, [['error', '请求出错']]],
  ])('$name', async (call, textOf) => {
    vi.stubGlobal('fetch', async () => new Response('', { status: 500 }))
    const opened = await open('CN')
    opened.begin('user-1', 'token-1')
    expect(await opened.callWithToast(opened.api.call<Call>(call, { params: { Ticket: 't' }, body: {} }))).toBe(false)
    expect(shown(opened)).toEqual(textOf)
  })
})

describe('a session that is over', () => {
  test('is told once, however many calls hear of it, and stays said for the login page and a page loaded anew', async () => {
    const opened = await open('CN')
    opened.begin('user-1', 'token-1')
    opened.sessionOver()
    opened.sessionOver()
    expect(await opened.callWithToast(Promise.reject(refusal(opened, 'session expired', 401)))).toBe(false)
    expect(shown(opened)).toEqual([['error', '登录已过期，请重新登录']])
    expect(opened.useSession.getState()).toMatchObject({ token: '', over: 'expired' })
    expect((await open('CN')).useSession.getState()).toMatchObject({ token: '', over: 'expired' })
    opened.begin('user-1', 'token-2')
    expect(opened.useSession.getState()).toMatchObject({ token: 'token-2', over: null })
  })

  test('is not told to a device that signs in again by itself, nor to somebody who signed out', async () => {
    const opened = await open('CN')
    localStorage.setItem('linewarden.remembered', 'handle')
    opened.begin('user-1', 'token-1')
    opened.sessionOver()
    expect(shown(opened)).toEqual([])
    opened.begin('user-1', 'token-2')
    await opened.ending(async () => opened.sessionOver())
    expect(shown(opened)).toEqual([])
    expect(opened.useSession.getState()).toMatchObject({ token: '', over: null })
  })
})
