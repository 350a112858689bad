import { createHash } from 'node:crypto'
import { listProjects, transferProject } from '@linewarden/contract'
import { enter } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test('a subscription is added on the project page, its secret seen once, and what the platform pushes is counted there', async ({
  page,
  stack,
}) => {
  await enter(page, stack, `${stack.url}/system/project`)
  await page.getByRole('row').nth(1).getByRole('button', { name: '平台推送' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('还没有推送订阅')

  await dialog.getByRole('button', { name: '新增订阅' }).click()
  await dialog.getByLabel('名称').fill('烟感')
  await dialog.getByLabel('产品与型号').fill('hT3kQ9=3PN')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog.getByRole('alert')).toContainText('第 1 行有误')
  await dialog.getByLabel('产品与型号').fill('hT3kQ9=NT8141')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog).toContainText('密钥只显示这一次')
  // Escape does not take away what is never shown again.
  await page.keyboard.press('Escape')
  const [address = '', token = ''] = await dialog.locator('code').allTextContents()
  expect(token).toMatch(/^[0-9a-f]{32}$/)
  await dialog.getByRole('button', { name: '我已保存' }).click()

  const card = dialog.getByRole('listitem', { name: '烟感' })
  await expect(card).toContainText('尚未收到')
  await expect(dialog).not.toContainText(token)
  const push = (key: string) => {
    const msg = JSON.stringify({ notifyType: 'property', deviceName: 'NB-NOBODY', data: { params: { battery: { value: 1 } } } })
    const signature = createHash('md5').update(`${key}n${msg}`).digest('base64')
    return page.request.post(address, { data: { msg, nonce: 'n', signature } })
  }
  expect((await push(token)).status()).toBe(200)
  expect((await push('wrong')).status()).toBe(401)
  const count = (label: string) => card.locator('dl > div').filter({ hasText: label }).locator('dd')
  await expect(count('已接收')).toHaveText('1')
  await expect(count('无法识别')).toHaveText('1')
  await expect(count('已拒绝')).toHaveText('1')
  await expect(card).toContainText('推送签名或密钥不正确')

  // The project goes to another administrator: who had it before knows the secret.
  await stack.server.accounts.createAccount({ userName: 'successor', password: 'Owner-7391', kind: 'project' })
  const [house] = (await stack.client.call(listProjects, { query: {} })).items
  const { HouseID, Version } = house ?? { HouseID: 0, Version: 0 }
  await stack.client.call(transferProject, { body: { HouseID, UserName: 'successor', Version } })
  await expect(card).toContainText('原密钥作废')
  expect((await push(token)).status()).toBe(401)
  await card.getByRole('button', { name: '更换密钥' }).click()
  await dialog.getByRole('button', { name: '更换密钥' }).click()
  await expect(dialog).toContainText('密钥只显示这一次')
  await dialog.getByRole('button', { name: '我已保存' }).click()
  await expect(card).not.toContainText('原密钥作废')
  expect((await push(token)).status()).toBe(401)
  await card.getByRole('button', { name: '删除' }).click()
  await dialog.getByRole('button', { name: '删除' }).click()
  await expect(dialog).toContainText('还没有推送订阅')
})
