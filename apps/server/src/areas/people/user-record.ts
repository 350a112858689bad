import type { UserRecord } from '@linewarden/contract'
import type { StoredUser } from '../../store/people/user.ts'

/** An account as the API tells it. */
export const recordOf = (row: StoredUser): UserRecord => ({
  AccountID: row.accountId,
  UserName: row.userName,
  NickName: row.nickName,
  Kind: row.kind,
  RoleID: row.roleId,
  RoleName: row.roleName,
  Mobile: row.mobile,
  Email: row.email,
  Sex: row.sex,
  JobName: row.jobName,
  Remark: row.remark,
  ControlPwd: row.hasControlPassword,
  SecondFactor: row.hasSecondFactor,
  Enabled: !row.disabled,
  Assigned: { HouseIDs: [...row.projectIds], DeviceIDs: [...row.gatewayIds] },
  OwnerID: row.ownerId,
  OwnerName: row.ownerName,
  CreatedAt: row.createdAt.getTime(),
  LastLoginAt: row.lastLoginAt?.getTime() ?? null,
  Version: row.version,
})
