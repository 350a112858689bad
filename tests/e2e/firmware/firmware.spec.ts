import { randomBytes } from 'node:crypto'
import { listFirmware, placeTag, startCampaign, steerCampaign } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { firmwareFile, firmwareSigner, signFirmware } from '../../kit/sign-firmware.ts'
import { signedIn } from '../../kit/stack.ts'
import { violations } from '../axe.ts'
import { keepSession } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

const works = firmwareSigner('works')
const stranger = firmwareSigner('stranger')
// This file's own stack trusts one key.
test.use({ options: { env: { LINEWARDEN_FIRMWARE_KEYS: `works:${works.publicKey}` } } })

const file = (version: string, signer = works, cut = 0) => {
  const bytes = firmwareFile(signFirmware(signer, { model: 'LW-G1', version, bytes: randomBytes(700_000) }))
  return { name: `lw-g1-${version}.lwfw`, mimeType: 'application/octet-stream', buffer: bytes.subarray(0, bytes.length - cut) }
}

async function upload(page: Page, given: ReturnType<typeof file>): Promise<void> {
  await page.goto('/system/firmware?tab=images')
  // By keyboard: pop-ups of gateways that restarted may lie over the button.
  await page.getByRole('button', { name: '上传固件' }).first().press('Enter')
  const dialog = page.getByRole('dialog', { name: '上传固件' })
  await dialog.getByLabel('固件文件').setInputFiles(given)
  await dialog.getByRole('button', { name: '上传固件' }).click()
}

test.beforeEach(async ({ page, stack }) => {
  for (const { updater } of stack.fleet.gateways.values()) Object.assign(updater.habits, { installMs: 200, comesUp: true })
  await keepSession(page, stack)
})

test('an image with a wrong signature, cut short, or no image at all is refused in words', async ({ page }) => {
  await upload(page, file('1.1.0', stranger))
  const dialog = page.getByRole('dialog', { name: '上传固件' })
  await expect(dialog.getByRole('alert')).toContainText('固件签名无效')
  await dialog.getByLabel('固件文件').setInputFiles(file('1.1.0', works, 1_000))
  await dialog.getByRole('button', { name: '上传固件' }).click()
  await expect(dialog.getByRole('alert')).toContainText('固件文件不完整：应为 700000 字节，只收到 699000 字节')
  await dialog.getByLabel('固件文件').setInputFiles({ name: 'x.lwfw', mimeType: 'text/plain', buffer: Buffer.from('hello\n') })
  await expect(dialog.getByRole('alert').first()).toContainText('不是固件文件')
})

test('a campaign upgrades gateways stage by stage, live on the page, and pauses when one fails', async ({ page, stack }) => {
  await upload(page, file('1.2.0'))
  await expect(page.getByRole('row', { name: /1\.2\.0/ })).toContainText('可用')
  await page
    .getByRole('row', { name: /1\.2\.0/ })
    .getByRole('button', { name: '新建升级任务' })
    .click()
  const form = page.getByRole('dialog', { name: '新建升级任务' })
  await form.getByRole('button', { name: '开始升级' }).click()
  await expect(form.getByText('请选择要升级的网关')).toBeVisible()
  await expect(form.getByText('请填写原因')).toBeVisible()
  const boxes = form.getByRole('listitem').getByRole('checkbox')
  await expect(boxes.first()).toBeVisible()
  expect(await violations(page)).toEqual([])
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await form.getByLabel('原因').fill('季度更新')
  await form.getByRole('button', { name: '开始升级' }).click()
  const drawer = page.getByRole('dialog', { name: '升级到 1.2.0' })
  await expect(drawer.getByRole('region', { name: '进度' })).toContainText('2 / 2 已有结果')
  await expect(drawer.getByRole('listitem').filter({ hasText: '成功' })).toHaveCount(2)
  await expect(drawer).toContainText('1.0.0 → 1.2.0')
  expect(await violations(page)).toEqual([])

  for (const { updater } of stack.fleet.gateways.values()) updater.habits.comesUp = false
  await upload(page, file('1.3.0'))
  await page
    .getByRole('row', { name: /1\.3\.0/ })
    .getByRole('button', { name: '新建升级任务' })
    .click()
  for (const index of [0, 1, 2]) await boxes.nth(index).check()
  await form.getByLabel('原因').fill('季度更新')
  await form.getByRole('button', { name: '开始升级' }).click()
  const second = page.getByRole('dialog', { name: '升级到 1.3.0' })
  await expect(second.getByRole('alert')).toContainText('失败超过上限，已自动暂停')
  await expect(second.getByRole('listitem').filter({ hasText: '新固件未能启动' })).toHaveCount(1)
  await expect(second.getByRole('listitem').filter({ hasText: '任务已暂停' })).toHaveCount(2)
  await second.getByRole('button', { name: '中止' }).press('Enter')
  await page.getByRole('dialog', { name: '中止升级任务' }).getByRole('button', { name: '中止' }).click()
  await expect(second).toContainText('已中止')
  await expect(second.getByRole('listitem').filter({ hasText: '已取消' })).toHaveCount(2)
})

test('whether to abort a campaign stays asked when a colleague aborts it meanwhile, and the answer is told so', async ({
  page,
  stack,
  problems,
}) => {
  await upload(page, file('1.3.5'))
  await expect(page.getByRole('row', { name: /1\.3\.5/ })).toContainText('可用')
  const colleague = await signedIn(stack.url, stack.admin)
  const image = (await colleague.call(listFirmware)).items.find(({ Version }) => Version === '1.3.5')
  const line = [...stack.server.plant.lines.values()].find(({ device }) => device.gateway.number === 'GW-BJ-05')
  if (!image || !line) throw new Error('nothing to upgrade')
  const { gateway, controllerId: ControllerID } = line.device
  // Somebody works there: it is not installed while the test goes on.
  const tag = { TagID: crypto.randomUUID(), Kind: 'tag', On: 'gateway', Reason: '更换电缆头' } as const
  await colleague.call(placeTag, { params: { ControllerID, LineNo: line.lineNo }, body: tag })
  const order = { ImageID: image.ImageID, Gateways: [gateway.id], Projects: [], Stages: [], FailureLimit: 0, Reason: '季度更新' }
  const { CampaignID } = await colleague.call(startCampaign, { body: order })

  await page.goto(`/system/firmware?campaign=${CampaignID}`)
  const drawer = page.getByRole('dialog', { name: '升级到 1.3.5' })
  await drawer.getByRole('button', { name: '中止' }).press('Enter')
  const question = page.getByRole('dialog', { name: '中止升级任务' })
  await expect(question).toContainText('此操作不能撤销')
  await colleague.call(steerCampaign, { params: { CampaignID }, body: { Act: 'abort' } })
  await expect(page.locator('.campaign-drawer .head-row')).toContainText('已中止')
  await question.getByRole('button', { name: '中止' }).click()
  await expect(question.getByRole('alert')).toContainText('升级任务已结束')
  await question.getByRole('button', { name: '取消' }).click()
  await expect(question).toHaveCount(0)
  // What is over cannot be steered.
  await expect(drawer.getByRole('button', { name: '中止' })).toHaveCount(0)
  forgive(problems, /status of 409/)
})

test('one gateway is upgraded from its own page, and shows what it runs', async ({ page }) => {
  await upload(page, file('1.4.0'))
  // The list has it from its first piece on.
  await expect(page.getByRole('row', { name: /1\.4\.0/ })).toContainText('可用')
  await page.goto('/system/geteway')
  // Not the one with a tag.
  await page.getByRole('row', { name: 'GW-BJ-03' }).getByRole('button', { name: '查看网关' }).press('Enter')
  const firmware = page.getByRole('region', { name: '固件版本' })
  await firmware.getByRole('button', { name: '升级到 1.4.0' }).press('Enter')
  await page
    .getByRole('dialog', { name: /升级网关/ })
    .getByRole('button', { name: '开始升级' })
    .click()
  await expect(firmware).toContainText('1.4.0 (已是此版本)')
  await expect(firmware).toContainText('成功')
})
