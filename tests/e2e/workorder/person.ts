import type { Stack } from '../../kit/stack.ts'

const password = 'Duty-7391'

/** A sub-account of project A that may open work orders and alarms. */
export async function person(stack: Stack, userName: string, nickName: string) {
  const { accounts, database, plant } = stack.server
  const privileges = ['hazard', 'hazard.workorder', 'hazard.alarmList']
  const roleId = await accounts.createRole({ number: userName, name: nickName, privileges, buttons: [] })
  const projectIds = [...plant.projects.values()].filter(({ name }) => name === '项目A').map(({ id }) => id)
  await accounts.createAccount({ userName, password, kind: 'sub', roleId, projectIds })
  await database.general.updateTable('account').set({ nick_name: nickName }).where('user_name', '=', userName).execute()
  return { url: stack.url, admin: { userName, password } }
}
