import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCtwing } from './ctwing.ts'
import { oneNetSigned, openOneNet, readOneNet, readOneNetPush } from './onenet.ts'

const at = 1_795_000_000_000

describe('OneNET', () => {
  // Computed apart: printf tokennonce{} | openssl md5 -binary | base64
  const signed = { nonce: 'nonce', msg: '{}', signature: 'p1C7G0SLE/w2RV5cmI/ssA==' }

  test('a signature is md5 over token, nonce and message', () => {
    expect(oneNetSigned('token', signed)).toBe(true)
    expect(oneNetSigned('token', { ...signed, msg: '{ }' })).toBe(false)
    expect(oneNetSigned('other', signed)).toBe(false)
  })

  test.each(['', 'AA==', 'no base64', 'x'.repeat(1_000)])('%j is no signature', (signature) => {
    expect(oneNetSigned('token', { ...signed, signature })).toBe(false)
  })

  test('both forms of the envelope are read, and which is encrypted', () => {
    const newer = readOneNetPush({ msg: '{"a":1}', nonce: 'n', signature: 's', time: at, id: 'x' })
    expect(newer).toEqual({ msg: '{"a":1}', nonce: 'n', signature: 's', encrypted: false, time: at })
    expect(readOneNetPush({ msg: { a: 1 }, nonce: 'n', msg_signature: 's' })).toMatchObject({ msg: '{"a":1}', encrypted: false })
    expect(readOneNetPush({ enc_msg: 'Zm9v', nonce: 'n', msg_signature: 's' })).toMatchObject({ msg: 'Zm9v', encrypted: true })
    for (const bad of [null, [], 'x', { msg: 1, nonce: 'n', signature: 's' }, { msg: '{}', nonce: 'n' }])
      expect(readOneNetPush(bad)).toBeNull()
  })

  test('what does not open with the key is said to, and never thrown', () => {
    const key = '0123456789abcdef'
    fc.assert(fc.property(fc.string(), (text) => ['string', 'object'].includes(typeof openOneNet(text, key))))
    expect(openOneNet('AAAA', '0123456789abcdef')).toBeNull()
  })

  test('an event is laid flat, each value has its own time, and numbers written as text are numbers', () => {
    const params = { alarm: { value: { smoke_state: 1, level: '12.5' }, time: at - 7 }, battery: { value: 80 } }
    const read = readOneNet(JSON.stringify({ notifyType: 'event', deviceName: 'D', time: at, data: { params } }), 0)
    expect(read).toEqual([
      {
        names: ['D'],
        productId: null,
        values: [
          { name: 'smoke_state', value: 1, at: at - 7 },
          { name: 'level', value: 12.5, at: at - 7 },
          { name: 'battery', value: 80, at },
        ],
      },
    ])
  })

  test('coming and going says nothing of values', () => {
    expect(readOneNet('{"notifyType":"deviceLifeCycle","deviceName":"D"}', at)).toEqual([])
    expect(readOneNet('{"type":2,"dev_id":1,"status":0}', at)).toEqual([])
  })
})

describe('CTWing', () => {
  test.each<[string, object]>([
    ['bare', { liquid: 4 }],
    ['under serviceData', { serviceId: 'notification', serviceData: { liquid: 4 } }],
    ['as JSON of a transparent product', { APPdata: Buffer.from('{"liquid":4}').toString('base64') }],
  ])('fields are read %s', (_, payload) => {
    const message = { messageType: 'dataReport', IMEI: 861050042916166, IMSI: 'undefined', deviceId: 'x', timestamp: at, payload }
    expect(readCtwing(message, 0)).toEqual([
      { names: ['861050042916166', 'x'], productId: null, values: [{ name: 'liquid', value: 4, at }] },
    ])
  })

  test('an answer to a command says nothing of values', () => {
    expect(readCtwing({ messageType: 'commandResponse', deviceId: 'x', timestamp: at }, at)).toEqual([])
  })
})

test('whatever comes is read or refused in words, never thrown', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const found = [readOneNet(text, at), readCtwing(JSON.parse(text), at)]
      return found.every((each) => typeof each === 'string' || Array.isArray(each))
    }),
  )
})
