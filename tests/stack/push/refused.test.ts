import { addPush, deletePush, editPush, listJournal, listPushes, rotatePush, transferProject } from '@linewarden/contract'
import { ctwingReport, oneNetBody, oneNetReport, pushTo } from '@linewarden/simulator'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PushHouse, pushedProducts } from '../../kit/push-house.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { newProject } from '../../kit/two-owners.ts'

let house: PushHouse
const aesKey = '0123456789abcdef'

beforeAll(async () => {
  house = await PushHouse.start()
})
beforeEach(() => house.anotherProject())
afterAll(() => house?.close())

describe('a push is refused, and nothing changes, when', () => {
  const device = () => ctwingReport('860000000000000', 'pGas', { gas_value: 1 }, Date.now())

  test('its signature is wrong: it is counted, and in the log of the project', async () => {
    const { url, Push } = await house.subscribed('onenet')
    const body = () => oneNetBody('not the token', oneNetReport('NB-SMOKE-1', 'pSmoke', { smoke_value: 99 }, Date.now()))
    for (let i = 0; i < 3; i++) expect(await pushTo(url, body())).toMatchObject({ status: 401, Message: 'push signature wrong' })
    await house.settled()
    expect(await house.recordOf(Push.PushID)).toMatchObject({
      Accepted: 0,
      Refused: 3,
      LastRefusal: { zh: '推送签名或密钥不正确' },
    })
    const journal = await house.all.anna.call(listJournal, { body: { Action: 'push.receive', Size: 200 } })
    // Three in a row are one line, so that nobody floods the log.
    expect(journal.items.filter(({ Target }) => Target.endsWith(`push ${Push.PushID}`))).toHaveLength(1)
  })

  test.each(['/0', '', '/not-the-key'])('the key of CTWing is %j', async (key) => {
    const { base } = await house.subscribed('ctwing')
    expect(await pushTo(base + key, JSON.stringify(device()))).toMatchObject({ status: 401, Message: 'push signature wrong' })
  })

  test('there is no such subscription, told in the same words', async () => {
    const body = JSON.stringify(device())
    for (const path of ['/api/v1/push/999999', '/api/v1/push/abc', '/api/v1/push/999999/key'])
      expect(await pushTo(house.all.stack.url + path, body)).toMatchObject({ status: 401, Message: 'push signature wrong' })
  })

  test('its time is hours from now', async () => {
    const { url } = await house.subscribed('ctwing')
    for (const timestamp of [Date.now() - 4 * 3_600_000, Date.now() + 3_600_000])
      expect(await pushTo(url, JSON.stringify({ ...device(), timestamp }))).toMatchObject({
        status: 401,
        Message: 'push too old',
      })
  })

  test('it is no JSON, of another form, or too large', async () => {
    const { url, Push } = await house.subscribed('ctwing')
    expect(await pushTo(url, '{')).toMatchObject({ status: 400, Message: 'body malformed' })
    expect(await house.recordOf(Push.PushID)).toMatchObject({ Refused: 0 })
    expect(await pushTo(url, '[1]')).toMatchObject({ status: 400, Message: 'body malformed' })
    // The key was right, so it is counted where the project's administrator sees it.
    expect(await house.recordOf(Push.PushID)).toMatchObject({ Refused: 1 })
    expect(await pushTo(url, JSON.stringify({ ...device(), pad: 'x'.repeat(300_000) }))).toMatchObject({ status: 413 })
  })

  test('the subscription is disabled, removed, or has a new secret', async () => {
    const { url, Push, Secret } = await house.subscribed('onenet')
    const { PushID, Version } = Push
    const body = () => oneNetBody(Secret, oneNetReport('NB-SMOKE-1', 'pSmoke', { battery: 1 }, Date.now()))
    await house.all.anna.call(editPush, {
      body: { HouseID: house.HouseID, PushID, Name: 'x', Products: pushedProducts, Enabled: false, Version },
    })
    expect(await pushTo(url, body())).toMatchObject({ status: 403, Message: 'push disabled' })
    const { Secret: renewed } = await house.all.anna.call(rotatePush, { body: { HouseID: house.HouseID, PushID } })
    expect(renewed).not.toBe(Secret)
    expect(await pushTo(url, body())).toMatchObject({ status: 401, Message: 'push signature wrong' })
    await house.all.anna.call(deletePush, { body: { HouseID: house.HouseID, PushID } })
    expect(await pushTo(url, body())).toMatchObject({ status: 401, Message: 'push signature wrong' })
  })
})

test('whoever had the project before pushes for it no more; its new owner is told so, and makes a new secret', async () => {
  const [oneNet, ctwing] = [await house.subscribed('onenet'), await house.subscribed('ctwing')]
  const { PushID } = oneNet.Push
  const signed = (secret: string) =>
    pushTo(oneNet.url, oneNetBody(secret, oneNetReport('NB-NOWHERE', 'pSmoke', { battery: 1 }, Date.now())))
  const keyed = () => pushTo(ctwing.url, JSON.stringify(ctwingReport('860000000000000', 'pGas', { gas_value: 1 }, Date.now())))
  const moved = await house.all.platform.call(transferProject, { body: { HouseID: house.HouseID, Version: 1 } })
  expect([await signed(oneNet.Secret), await keyed()]).toMatchObject([{ status: 200 }, { status: 200 }])
  await house.all.platform.call(transferProject, {
    body: { HouseID: house.HouseID, UserName: '13900000002', Version: moved.Version },
  })
  expect([await signed(oneNet.Secret), await keyed()]).toMatchObject([
    { status: 401, Message: 'push signature wrong' },
    { status: 401, Message: 'push signature wrong' },
  ])
  const { items } = await house.all.bert.call(listPushes, { query: { HouseID: house.HouseID } })
  const shut = { Enabled: false, OwnerChangedAt: expect.any(Number) }
  expect(items).toMatchObject([shut, shut])
  const entries = await house.all.platform.call(listJournal, { body: { Action: 'push.shut', Size: 10 } })
  expect(entries.items.map(({ Target }) => Target).toSorted()).toEqual(
    [oneNet, ctwing].map(({ Push }) => `project ${house.HouseID} push ${Push.PushID}`).toSorted(),
  )

  const { Push, Secret } = await house.all.bert.call(rotatePush, { body: { HouseID: house.HouseID, PushID } })
  expect(Push).toMatchObject({ Enabled: false, OwnerChangedAt: null })
  expect(await signed(Secret)).toMatchObject({ status: 403, Message: 'push disabled' })
  await house.all.bert.call(editPush, {
    body: { HouseID: house.HouseID, PushID, Name: 'x', Products: pushedProducts, Enabled: true, Version: Push.Version },
  })
  expect(await signed(Secret)).toMatchObject({ status: 200, Code: 1 })
})

test('a flood of wrong pushes is refused faster and noted once; rightly signed ones from the same address are taken', async () => {
  const { url, Secret, Push } = await house.subscribed('onenet')
  const { number } = await house.detector('NB-FLOOD-1')
  const wrong = () => pushTo(url, oneNetBody('not the token', oneNetReport(number, 'pSmoke', { battery: 1 }, Date.now())))
  const all = await Promise.all(Array.from({ length: 60 }, wrong))
  expect(all.map(({ Message }) => Message)).toContain('push too fast')
  const right = oneNetBody(Secret, oneNetReport(number, 'pSmoke', { battery: 70 }, Date.now() - 1_000))
  expect(await pushTo(url, right)).toMatchObject({ status: 200, Code: 1 })
  await house.settled()
  const Refused = (await house.recordOf(Push.PushID))?.Refused ?? 0
  expect(Refused).toBe(all.filter(({ Message }) => Message === 'push signature wrong').length)
})

test('nobody sees or changes the subscriptions of somebody else', async () => {
  const annas = (await newProject(house.all.anna, '安娜的第二项目')).HouseID
  const body = { HouseID: annas, Platform: 'onenet', Name: 'x', Products: pushedProducts } as const
  const { Push } = await house.all.anna.call(addPush, { body })
  const target = { HouseID: (await newProject(house.all.bert, '伯特项目')).HouseID, PushID: Push.PushID }
  expect(await outcomeOf(house.all.bert.call(listPushes, { query: { HouseID: annas } }))).toBe('project not exists')
  expect(await outcomeOf(house.all.bert.call(rotatePush, { body: target }))).toBe('push not exists')
  expect(await outcomeOf(house.all.bert.call(deletePush, { body: target }))).toBe('push not exists')
})

test('products and keys that cannot work are refused in words', async () => {
  const body = { HouseID: house.HouseID, Platform: 'onenet', Name: 'x' } as const
  const twice = [pushedProducts[0], pushedProducts[0]].flatMap((each) => each ?? [])
  expect(await outcomeOf(house.all.anna.call(addPush, { body: { ...body, Products: twice } }))).toBe('product twice')
  const breaker = [{ ProductID: 'p', Model: '3PN' }]
  expect(await outcomeOf(house.all.anna.call(addPush, { body: { ...body, Products: breaker } }))).toBe('model unknown')
  const keyed = { ...body, Platform: 'ctwing' as const, Products: pushedProducts, AesKey: aesKey }
  expect(await outcomeOf(house.all.anna.call(addPush, { body: keyed }))).toBe('push encryption wrong')
})
