import {
  addGateway,
  addGroup,
  addProject,
  addRole,
  addSubAccount,
  editProject,
  gatewayDetails,
  insertTemplate,
  projectDetails,
  renameGateway,
  renameLine,
} from '@linewarden/contract'
import type { Locator } from '@playwright/test'
import type { Stack } from '../../kit/stack.ts'
import { signedIn } from '../../kit/stack.ts'
import { enter, keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

/** What people call things is text wherever it is shown, whatever it looks like. */

const odd = {
  'a script': '<img src=x onerror=alert(1)>',
  'a tag that ends a script': '</script><b>7</b>',
  'right to left': 'مشروع ‮العودة‬ 7',
  emoji: '⚡🏢👩🏽‍🔧 园区',
}

const place = { PersonInCharge: '王工', ContactPhone: '0571-8888', Province: '浙江省', City: '杭州市', District: '西湖区' }
const imeis = ['356938035643809', '353879234252633', '490154203237518', '867530000000016']

/** Something of each kind that is called so, and where each is listed. */
async function callAll({ server }: Stack, client: Stack['client'], name: string, index: number): Promise<readonly string[]> {
  await client.call(addGroup, { body: { Name: name } })
  const { HouseID } = await client.call(addProject, { body: { Name: name, ...place } })
  const kind = { AddMethod: 'manual', Platform: 'json', DeviceType: '4G' } as const
  await client.call(addGateway, { body: { HouseID, Number: `ODD-${index}`, Name: name, IMEI: imeis[index] ?? '', ...kind } })
  const rights = { Privileges: ['devmon', 'devmon.realtime'], Buttons: [] }
  const { RoleID } = await client.call(addRole, { body: { Number: `ODD-${index}`, Name: name, ...rights } })
  const person = { UserName: `1380000008${index}`, NickName: name, Password: 'a'.repeat(32), RoleID }
  await client.call(addSubAccount, { body: { ...person, Assigned: { HouseIDs: [HouseID], DeviceIDs: [] } } })
  // Templates are shown beside a line of their family.
  const line = [...server.plant.lines.values()].find(({ device }) => device.family.key === 'breaker1p')
  const values = { Family: 'breaker1p', Settings: [{ Key: 'overload.delay', Value: 45 }] }
  await client.call(insertTemplate, { body: { Name: name, ...values } })
  const search = encodeURIComponent(name)
  return [
    `/system/city?Name=${search}`,
    `/system/project?HouseName=${search}`,
    `/system/geteway?Number=ODD-${index}`,
    `/system/roles?Name=${search}`,
    `/system/users?UserName=1380000008${index}`,
    `/devmon/params?view=templates&at=line:${line?.device.gateway.project.id}:${line?.id}&Name=${search}`,
    '/system/log',
  ]
}

for (const [index, [what, name]] of Object.entries(odd).entries())
  test(`whatever can be named may be called ${what}: it is text in every list, in the tree and in the log`, async ({
    page,
    stack,
  }) => {
    const pages = await callAll(stack, await signedIn(stack.url, stack.admin), name, index)
    await enter(page, stack)
    await expect(page.getByRole('tree').getByText(name).first()).toBeAttached()
    for (const each of pages) {
      await page.goto(each)
      await expect(page.getByRole('row').filter({ hasText: name }).first(), each).toBeVisible()
      await expect(page.locator('img[src=x], main td b:text-is("7")'), each).toHaveCount(0)
    }
  })

/** These names as they stand in an element, from left to right. */
const visible = (element: Locator, names: readonly string[]): Promise<readonly string[]> =>
  element.evaluate((node, names) => {
    const leftOf = (name: string) => {
      const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const at = text.textContent?.indexOf(name) ?? -1
        if (at < 0) continue
        const range = document.createRange()
        range.setStart(text, at)
        range.setEnd(text, at + name.length)
        return range.getBoundingClientRect().left
      }
      return Number.NaN
    }
    return names
      .map((name) => ({ name, left: leftOf(name) }))
      .filter(({ left }) => !Number.isNaN(left))
      .sort((a, b) => a.left - b.left)
      .map(({ name }) => name)
  }, names)

test('names from right to left change places nowhere: project, gateway and line stay in their order', async ({ page, stack }) => {
  const line = [...stack.server.plant.lines.values()].find(({ device }) => device.family.key === 'breaker3p')
  if (!line) throw new Error('the fleet has no such line')
  const { device } = line
  const [HouseID, DeviceID] = [device.gateway.project.id, device.gateway.id]
  const [house, gateway, LineName] = ['مشروع 1', 'مصنع 2', 'לוח 3'] as const
  const client = await signedIn(stack.url, stack.admin)
  const { Version } = await client.call(projectDetails, { params: { HouseID } })
  await client.call(editProject, { params: { HouseID }, body: { Name: house, ...place, Version } })
  const details = await client.call(gatewayDetails, { params: { DeviceID } })
  await client.call(renameGateway, { params: { DeviceID }, body: { Name: gateway, Version: details.Version } })
  await client.call(renameLine, { params: { DeviceID, LineID: line.id }, body: { LineName } })
  await keepSession(page, stack)

  await page.goto(`/devmon/realtime?at=line:${HouseID}:${line.id}&line=${line.id}`)
  const drawer = page.getByRole('dialog', { name: LineName })
  const own = `${device.model} ${device.controllerId}`
  await expect(drawer).toContainText(own)
  await expect.poll(() => visible(drawer.locator('.under'), [gateway, own])).toEqual([gateway, own])
  const path = [house, gateway, LineName]
  await expect.poll(() => visible(page.locator('main .crumb'), path)).toEqual(path)

  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: '线路名 / 网关名', exact: true }).fill(LineName)
  const hit = page.getByRole('region', { name: '搜索结果' }).getByRole('button', { name: LineName })
  await expect(hit).toContainText(gateway)
  await expect.poll(() => visible(hit.locator('small'), [house, gateway])).toEqual([house, gateway])

  await page.goto(`/devmon/hisdata?at=line:${HouseID}:${line.id}`)
  const chosen = page.getByRole('list', { name: '选择测点' }).getByRole('listitem').first()
  await expect(chosen.locator('bdi')).toHaveText([LineName, 'A相电流'])
  await page.getByRole('button', { name: '选择测点' }).click()
  const offered = page.getByRole('dialog', { name: '选择测点' }).getByRole('listitem').first()
  await expect(offered.locator('bdi')).toHaveText([gateway, device.name])
})
