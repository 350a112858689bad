import { message } from '../../terms/message.ts'
import { refused, text } from '../../terms/text.ts'

export const actions = {
  'token.issue': text('生成设备访问码', 'Create device token'),
  'token.revoke': text('收回设备访问码', 'Revoke device token'),
} as const

export const refusedCalls = {
  smokeSilencing: refused('烟感消音', 'Silence smoke detector'),
  gasSilencing: refused('可燃气体探测器消音', 'Silence combustible-gas detector'),
  nt8141Silencing: refused('NB-IoT 烟感消音', 'Silence NB-IoT smoke detector'),
  nt8117Silencing: refused('4G 烟感消音', 'Silence 4G smoke detector'),
  nt9141Silencing: refused('4G 气感消音', 'Silence 4G gas detector'),
  aespSilencing: refused('限流式保护器消音', 'Silence current-limiting protector'),
  detectorRsControl: refused('485 火灾探测器操作', 'Operate RS-485 fire detector'),
  detectorLteControl: refused('4G 火灾探测器操作', 'Operate 4G fire detector'),
  tokenSilencing: refused('凭访问码消音', 'Silence by device token'),
  airUpdate: refused('操作空气开关', 'Operate MCB'),
  ppsControl: refused('操作电源控制器', 'Operate power controller'),
  issueToken: refused('生成设备访问码', 'Create device token'),
  revokeToken: refused('收回设备访问码', 'Revoke device token'),
} as const

export const refusals = {
  'token not possible': message('该设备不支持凭码访问', 'This device does not support access by token', 400),
} as const
