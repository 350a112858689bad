import {
  addGroup,
  addProject,
  addRole,
  deleteGroup,
  listProjects,
  listUsers,
  queryGroups,
  queryRoles,
  transferProject,
} from '@linewarden/contract'
import type { Page } from '@playwright/test'
import type { Stack } from '../../kit/stack.ts'
import { signedIn } from '../../kit/stack.ts'
import { keepSession, signIn } from '../sign-in.ts'
import { closePopUps, expect, forgive, test } from '../stack.ts'

/** What an administrator does at the desk: groups, projects, roles and people, and what happens when somebody else is quicker. */

/** Beside the browser, with a session of its own for each test: an account has five at most. */
let client: Stack['client']

const dialog = (page: Page) => page.getByRole('dialog')
const field = (page: Page, label: string) => dialog(page).getByLabel(label)
const save = (page: Page) => dialog(page).getByRole('button', { name: '保存' }).click()
const closed = (page: Page) => expect(dialog(page)).toHaveCount(0)
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

async function pick(page: Page, label: string, option: string): Promise<void> {
  await field(page, label).fill(option)
  await page.getByRole('listbox').getByRole('option', { name: option }).first().click()
}

const place = { PersonInCharge: '王工', ContactPhone: '0571-8888', Province: '浙江省', City: '杭州市', District: '西湖区' }
const newProject = (Name: string) => client.call(addProject, { body: { Name, ...place } })
const roleFor = async (name: string) =>
  (await client.call(addRole, { body: { Number: name, Name: name, Privileges: ['devmon', 'devmon.realtime'], Buttons: [] } }))
    .RoleID
const userCalled = async (UserName: string) => (await client.call(listUsers, { body: { UserName } })).items[0]

/** Fills the form for somebody new, up to what they see. */
async function newUser(page: Page, userName: string, name: string, role: string): Promise<void> {
  await page.goto('/system/users')
  await page.getByRole('button', { name: '新增用户' }).first().click()
  await dialog(page).getByLabel('账号*', { exact: true }).fill(userName)
  await dialog(page).getByLabel('姓名*', { exact: true }).fill(name)
  await dialog(page).getByLabel('角色*', { exact: true }).selectOption(role)
  await dialog(page).getByLabel('密码*', { exact: true }).fill('breaker-7-east')
  await dialog(page).getByLabel('确认密码*', { exact: true }).fill('breaker-7-east')
}

test.beforeEach(async ({ page, stack }) => {
  client = await signedIn(stack.url, stack.admin)
  await keepSession(page, stack)
})

test('a group is added, renamed, filled, emptied and deleted', async ({ page }) => {
  await newProject('分组测试园区')
  await page.goto('/system/city')
  await page.getByRole('button', { name: '新增分组' }).first().click()
  await field(page, '分组名称').fill('城西')
  await save(page)
  await closed(page)
  await rowOf(page, '城西').getByRole('button', { name: '编辑' }).click()
  await field(page, '分组名称').fill('城西片区')
  await save(page)
  await expect(rowOf(page, '城西片区')).toContainText('0')

  await page.goto('/system/project')
  await rowOf(page, '分组测试园区').getByRole('checkbox').check()
  await page.getByRole('button', { name: '移到分组' }).click()
  await pick(page, '分组', '城西片区')
  await dialog(page).getByRole('button', { name: '移动' }).click()
  await expect(rowOf(page, '分组测试园区')).toContainText('城西片区')
  await page.goto('/system/city')
  await expect(rowOf(page, '城西片区').getByRole('button', { name: '删除' })).toBeDisabled()

  await page.goto('/system/project')
  await rowOf(page, '分组测试园区').getByRole('button', { name: '迁移' }).click()
  await field(page, '分组').selectOption('默认分组')
  await dialog(page).getByRole('button', { name: '迁移' }).click()
  await closed(page)
  await page.goto('/system/city')
  await rowOf(page, '城西片区').getByRole('button', { name: '删除' }).click()
  await dialog(page).getByRole('button', { name: '删除' }).click()
  await expect(rowOf(page, '城西片区')).toHaveCount(0)
})

test('the default group cannot be deleted, not even empty, and says why', async ({ page }) => {
  const [group] = (await client.call(queryGroups, { body: { Name: '默认分组' } })).items
  if (!group?.IsDefault) throw new Error('no default group')
  await page.goto('/system/city?Name=默认分组')
  const button = rowOf(page, '默认分组').first().getByRole('button', { name: '删除' })
  await expect(button).toBeDisabled()
  await expect(button).toHaveAttribute('title', '默认分组不能删除')
  await expect(client.call(deleteGroup, { params: { CityID: group.CityID } })).rejects.toThrow()
})

test('an English reader reads the default group in English, wherever it stands, and does not rename it by saving it', async ({
  page,
}) => {
  await newProject('英文园区')
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.goto('/system/project?HouseName=英文园区')
  await expect(rowOf(page, '英文园区')).toContainText('Default group')
  await expect(page.getByLabel('All groups').getByRole('option', { name: 'Default group' })).toBeAttached()
  await page.goto('/devmon/realtime')
  await expect(page.getByRole('tree').getByRole('treeitem', { name: /^Default group/ })).toBeVisible()
  await page.goto('/system/city?Name=Default group')
  await rowOf(page, 'Default group').first().getByRole('button', { name: 'Edit' }).click()
  await field(page, 'Remark').fill('first')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await closed(page)
  await expect(rowOf(page, 'Default group').first()).toContainText('first')
  expect((await client.call(queryGroups, { body: { Name: '默认分组' } })).items[0]).toMatchObject({ Remark: 'first' })
})

test('a project is added with its code by one call, so that a second try never makes a second project', async ({ page }) => {
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/houses')) calls.push(new URL(request.url()).pathname)
  })
  await page.goto('/system/project')
  await page.getByRole('button', { name: '新增项目' }).first().click()
  await field(page, '项目名称').fill('编码园区')
  await field(page, '负责人').fill('王工')
  await field(page, '联系电话').fill('13800000001')
  await field(page, '省').selectOption('浙江省')
  await field(page, '市').selectOption('杭州市')
  await field(page, '区县').selectOption('西湖区')
  await field(page, '监控中心编码').fill('CC-901')
  await save(page)
  await closed(page)
  expect(calls).toEqual(['/api/v1/houses'])
  const { items } = await client.call(listProjects, { query: { HouseName: '编码园区' } })
  expect(items.map(({ CCID }) => CCID)).toEqual(['CC-901'])
})

test('the platform administrator makes a group, a role and a user for somebody else, however many groups there are', async ({
  page,
  stack,
}) => {
  const owner = '13900000021'
  const OwnerID = await stack.server.accounts.createAccount({ userName: owner, password: 'Owner-7391', kind: 'project' })
  const project = await newProject('别家园区')
  // More than a page of them: the project stands in the last.
  let CityID = 0
  for (let i = 1; i <= 201; i++) CityID = (await client.call(addGroup, { body: { Name: `别家 ${i}`, OwnerID } })).CityID
  const { HouseID, Version } = project
  await client.call(transferProject, { body: { HouseID, UserName: owner, CityID, Version } })

  await page.goto('/system/city')
  await page.getByRole('button', { name: '新增分组' }).first().click()
  await field(page, '分组名称').fill('别家分组')
  await pick(page, '所属管理员', owner)
  await save(page)
  await closed(page)
  await page.goto('/system/roles')
  await page.getByRole('button', { name: '新增角色' }).first().click()
  await field(page, '角色名称').fill('别家值班')
  await field(page, '角色编号').fill('OTHER-1')
  await pick(page, '所属管理员', owner)
  await page.getByRole('checkbox', { name: '设备监控' }).check()
  await save(page)
  await closed(page)
  const [group] = (await client.call(queryGroups, { body: { Name: '别家分组' } })).items
  const [role] = (await client.call(queryRoles, { body: { Name: '别家值班' } })).items
  expect([group?.OwnerName, role?.OwnerName]).toEqual([owner, owner])

  await page.goto('/system/users')
  await page.getByRole('button', { name: '新增用户' }).first().click()
  await pick(page, '所属管理员', owner)
  await dialog(page).getByLabel('账号*', { exact: true }).fill('13800000021')
  await dialog(page).getByLabel('姓名*', { exact: true }).fill('别家电工')
  await dialog(page).getByLabel('角色*', { exact: true }).selectOption('别家值班')
  await dialog(page).getByLabel('密码*', { exact: true }).fill('breaker-7-east')
  await dialog(page).getByLabel('确认密码*', { exact: true }).fill('breaker-7-east')
  await expect(page.getByRole('checkbox', { name: '望湖小区' })).toHaveCount(0)
  await page.getByRole('checkbox', { name: '别家园区' }).check()
  await save(page)
  await closed(page)
  expect(await userCalled('13800000021')).toMatchObject({ OwnerName: owner, RoleName: '别家值班' })
})

test('a user is edited and deleted, and their sessions are ended from the list', async ({ page, browser, stack }) => {
  await roleFor('会话值班')
  await newUser(page, '13800000031', '李电工', '会话值班')
  await page.getByRole('checkbox', { name: '望湖小区' }).check()
  await save(page)
  await closed(page)
  const theirs = await browser.newContext()
  const other = await theirs.newPage()
  await closePopUps(other)
  await other.goto(`${stack.url}/login`)
  await signIn(other, { ...stack, admin: { userName: '13800000031', password: 'breaker-7-east' } })
  await expect(other).toHaveURL(/devmon/)

  const row = rowOf(page, '13800000031')
  await row.getByRole('button', { name: '编辑' }).click()
  await dialog(page).getByLabel('姓名*', { exact: true }).fill('李师傅')
  await save(page)
  await expect(row).toContainText('李师傅')
  await row.getByRole('button', { name: '会话' }).click()
  await dialog(page).getByRole('listitem').getByRole('button').first().click()
  await expect(dialog(page).getByRole('listitem').getByRole('button')).toHaveCount(0)
  await dialog(page).getByRole('button', { name: '关闭' }).click()
  await other.goto(`${stack.url}/devmon/realtime`)
  await expect(other).toHaveURL(/login/)
  await theirs.close()

  await row.getByRole('button', { name: '删除' }).click()
  await dialog(page).getByRole('button', { name: '删除' }).click()
  await expect(row).toHaveCount(0)
  expect(await userCalled('13800000031')).toBeUndefined()
})

test('a shared account is added by the form, without a control password', async ({ page }) => {
  await roleFor('消防查看')
  await newUser(page, '13800000041', '消防支队', '消防查看')
  await field(page, '账号属性').selectOption('共享账号')
  await dialog(page).getByLabel('角色*', { exact: true }).selectOption('消防查看')
  await expect(dialog(page).getByLabel('控制密码')).toHaveCount(0)
  await page.getByRole('checkbox', { name: '望湖小区' }).check()
  await save(page)
  await closed(page)
  expect(await userCalled('13800000041')).toMatchObject({ Kind: 'shared', NickName: '消防支队' })
})

/** Goes on answering the groups of before, until an account is sent: so that the server, and not the form, finds what has changed. */
async function oldGroups(page: Page) {
  let old: string | null = null
  let frozen = false
  page.on('request', (request) => {
    if (request.url().endsWith('/users/update')) frozen = false
  })
  await page.route('**/api/v1/houses/list/city', async (route) => {
    const response = await route.fetch()
    if (!frozen || old === null) old = await response.text()
    await route.fulfill({ response, body: old })
  })
  return () => {
    frozen = true
  }
}

test('when the devices cannot be assigned the rest is saved, and saving again goes on from there', async ({
  page,
  stack,
  problems,
}) => {
  const owner = '13900000051'
  await stack.server.accounts.createAccount({ userName: owner, password: 'Owner-7391', kind: 'project' })
  await roleFor('重试值班')
  await newUser(page, '13800000051', '赵电工', '重试值班')
  await page.getByRole('checkbox', { name: '望湖小区' }).check()
  await save(page)
  await closed(page)
  const leaving = await newProject('要离开的园区')
  await page.reload()
  const freeze = await oldGroups(page)

  const row = rowOf(page, '13800000051')
  await row.getByRole('button', { name: '编辑' }).click()
  await dialog(page).getByLabel('姓名*', { exact: true }).fill('赵师傅')
  await page.getByRole('checkbox', { name: '要离开的园区' }).check()
  freeze()
  await client.call(transferProject, { body: { HouseID: leaving.HouseID, UserName: owner, Version: leaving.Version } })
  await save(page)
  await expect(dialog(page).getByText(/设备分配失败/)).toBeVisible()
  await expect(row).toContainText('赵师傅')
  await expect(page.getByRole('checkbox', { name: '要离开的园区' })).toHaveCount(0)
  await save(page)
  await closed(page)
  const after = await userCalled('13800000051')
  expect([after?.NickName, after?.Assigned.HouseIDs.length, after?.Assigned.HouseIDs.includes(leaving.HouseID)]).toEqual([
    '赵师傅',
    1,
    false,
  ])
  forgive(problems, /status of 4/)
})

test('a group may be written as a script: it is text, here and in the log', async ({ page }) => {
  const name = '<script>document.title="x"</script><img src=x onerror=alert(1)>'.slice(0, 50)
  await page.goto('/system/city')
  await page.getByRole('button', { name: '新增分组' }).first().click()
  await field(page, '分组名称').fill(name)
  await save(page)
  await closed(page)
  await page.getByRole('searchbox', { name: '分组名称' }).fill(name)
  await expect(rowOf(page, name)).toBeVisible()
  await page.goto('/system/log')
  await expect(rowOf(page, name).first()).toBeVisible()
  expect(await page.title()).not.toBe('x')
  await expect(page.locator('main img[src=x]')).toHaveCount(0)
})

test('a name of 10,000 characters is refused at its field, and nothing is made', async ({ page, problems }) => {
  const before = (await client.call(queryGroups, { body: {} })).total
  await page.goto('/system/city')
  await page.getByRole('button', { name: '新增分组' }).first().click()
  const input = field(page, '分组名称')
  await input.evaluate((element: HTMLInputElement) => element.removeAttribute('maxlength'))
  await input.fill('长'.repeat(10_000))
  await save(page)
  await expect(dialog(page).getByRole('alert').first()).toBeVisible()
  expect((await client.call(queryGroups, { body: {} })).total).toBe(before)
  await input.fill('短'.repeat(50))
  await save(page)
  await closed(page)
  forgive(problems, /status of 400/)
})
