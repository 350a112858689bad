import { addGateway, addGroup, addProject, addRole, addSubAccount, insertTemplate } from '@linewarden/contract'
import type { Stack } from '@linewarden/testkit'
import { signedIn } from '@linewarden/testkit'
import { signIn } from './sign-in.ts'
import { expect, test } from './stack.ts'

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
async function callAll(client: Stack['client'], name: string, index: number): Promise<readonly string[]> {
  await client.call(addGroup, { body: { Name: name } })
  const { HouseID } = await client.call(addProject, { body: { Name: name, ...place } })
  const kind = { AddMethod: 'manual', Platform: 'json', DeviceType: '4G' } as const
  await client.call(addGateway, { body: { HouseID, Number: `ODD-${index}`, Name: name, IMEI: imeis[index] ?? '', ...kind } })
  const rights = { Privileges: ['devmon', 'devmon.realtime'], Buttons: [] }
  const { RoleID } = await client.call(addRole, { body: { Number: `ODD-${index}`, Name: name, ...rights } })
  const person = { UserName: `1380000008${index}`, NickName: name, Password: 'a'.repeat(32), RoleID }
  await client.call(addSubAccount, { body: { ...person, Assigned: { HouseIDs: [HouseID], DeviceIDs: [] } } })
  const values = { Family: 'breaker1p', Settings: [{ Key: 'overload.delay', Value: 45 }] }
  await client.call(insertTemplate, { body: { Name: name, ...values } })
  const search = encodeURIComponent(name)
  return [
    `/system/city?Name=${search}`,
    `/system/project?HouseName=${search}`,
    `/system/geteway?Number=ODD-${index}`,
    `/system/roles?Name=${search}`,
    `/system/users?UserName=1380000008${index}`,
    `/devmon/params?view=templates&Name=${search}`,
    '/system/log',
  ]
}

for (const [index, [what, name]] of Object.entries(odd).entries())
  test(`whatever can be named may be called ${what}: it is text in every list, in the tree and in the log`, async ({
    page,
    stack,
  }) => {
    const pages = await callAll(await signedIn(stack.url, stack.admin), name, index)
    await page.goto('/login')
    await signIn(page, stack)
    await expect(page).toHaveURL(/realtime/)
    await expect(page.getByRole('tree').getByText(name).first()).toBeAttached()
    for (const each of pages) {
      await page.goto(each)
      await expect(page.getByRole('row').filter({ hasText: name }).first(), each).toBeVisible()
      await expect(page.locator('img[src=x], main td b:text-is("7")'), each).toHaveCount(0)
    }
  })
