import { expect, test } from 'vitest'
import { Refusal } from './refusal.ts'

test('a refusal is an envelope that says what, in both languages', () => {
  expect(new Refusal('device not exists').envelope()).toEqual({
    Code: 0,
    Message: 'device not exists',
    Text: { zh: '设备不存在', en: 'The device does not exist' },
  })
})

test('it carries the facts and the problems it was given', () => {
  const problem = { Path: 'body.Size', Text: { zh: '必须是整数', en: 'must be an integer' } }
  const refusal = new Refusal('control locked', { minutes: 3 }, [problem])
  expect(refusal.envelope()).toMatchObject({ Detail: { minutes: 3 }, Problems: [problem] })
  expect(refusal.envelope().Text.en).toContain('3 min;')
})

test('it has the status of its message', () => {
  expect(new Refusal('close not permitted').status).toBe(409)
  expect(new Refusal('password incorrect').status).toBe(200)
})

test('it is an error that reads well in a log', () => {
  const refusal = new Refusal('clock skewed')
  expect(refusal).toBeInstanceOf(Error)
  expect(`${refusal}`).toMatch(/^Refusal: The clock of this device differs/)
})
