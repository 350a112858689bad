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
    const read = readOneNet(JSON.stringify({ notifyType: 'event', deviceName: 'D', time: at, data: { params } }))
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

  test('what does not say when has no time: it is never taken as now', () => {
    const params = { battery: { value: 80 }, level: { value: 3, time: at } }
    const read = readOneNet(JSON.stringify({ notifyType: 'property', deviceName: 'D', data: { params } }))
    expect(read).toMatchObject([
      {
        values: [
          { name: 'battery', at: null },
          { name: 'level', at },
        ],
      },
    ])
    expect(readOneNet('{"type":1,"dev_id":1,"ds_id":"battery","value":1}')).toMatchObject([{ values: [{ at: null }] }])
  })

  test('a message of more than 200 reports is refused whole', () => {
    const point = { type: 1, dev_id: 1, ds_id: 'battery', at, value: 1 }
    expect(readOneNet(JSON.stringify(Array(200).fill(point)))).toHaveLength(200)
    expect(readOneNet(JSON.stringify(Array(201).fill(point)))).toBe('more than 200 reports')
  })

  test('coming and going says nothing of values', () => {
    expect(readOneNet('{"notifyType":"deviceLifeCycle","deviceName":"D"}')).toEqual([])
    expect(readOneNet('{"type":2,"dev_id":1,"status":0}')).toEqual([])
  })
})

describe('CTWing', () => {
  test.each<[string, object]>([
    ['bare', { liquid: 4 }],
    ['under serviceData', { serviceId: 'notification', serviceData: { liquid: 4 } }],
    ['as JSON of a transparent product', { APPdata: Buffer.from('{"liquid":4}').toString('base64') }],
  ])('fields are read %s', (_, payload) => {
    const message = { messageType: 'dataReport', IMEI: 861050042916166, IMSI: 'undefined', deviceId: 'x', timestamp: at, payload }
    expect(readCtwing(message)).toEqual([
      { names: ['861050042916166', 'x'], productId: null, values: [{ name: 'liquid', value: 4, at }] },
    ])
  })

  test('an answer to a command says nothing of values', () => {
    expect(readCtwing({ messageType: 'commandResponse', deviceId: 'x', timestamp: at })).toEqual([])
  })
})

test('whatever comes is read or refused in words, never thrown', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const found = [readOneNet(text), readCtwing(JSON.parse(text))]
      return found.every((each) => typeof each === 'string' || Array.isArray(each))
    }),
  )
})
