import { message } from '../../terms/message.ts'
import { numbered } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  campaign: numbered('升级任务', 'Upgrade'),
  image: numbered('固件', 'Firmware'),
} as const

export const actions = {
  'firmware.upload': text('上传固件', 'Upload firmware'),
  'firmware.ready': text('固件上传完成', 'Firmware ready'),
  'firmware.withdraw': text('撤回固件', 'Withdraw firmware'),
  'firmware.campaign': text('开始升级任务', 'Start firmware upgrade'),
  'firmware.stage': text('升级任务进入下一阶段', 'Next stage of upgrade'),
  'firmware.pause': text('暂停升级任务', 'Pause upgrade'),
  'firmware.goOn': text('继续升级任务', 'Continue upgrade'),
  'firmware.abort': text('中止升级任务', 'Abort upgrade'),
  'firmware.end': text('升级任务结束', 'Upgrade ended'),
  'firmware.outcome': text('网关升级结果', 'Upgrade of a gateway'),
} as const

export const refusedCalls = {
  startFirmware: refused('开始上传固件', 'Start firmware upload'),
  sendFirmwarePiece: refused('上传固件', 'Upload firmware'),
  finishFirmware: refused('完成固件上传', 'Finish firmware upload'),
  withdrawFirmware: refused('撤回固件', 'Withdraw firmware'),
  startCampaign: refused('开始升级任务', 'Start firmware upgrade'),
  steerCampaign: refused('控制升级任务', 'Control upgrade'),
  upgradeController: refused('升级网关固件', 'Upgrade gateway'),
} as const

export const refusals = {
  'firmware keys missing': message(
    '服务器未配置固件签名公钥，请在 LINEWARDEN_FIRMWARE_KEYS 中设置',
    'No public key for firmware signatures is configured on this server. Set LINEWARDEN_FIRMWARE_KEYS',
  ),
  'firmware signature wrong': message(
    '固件签名无效：不是由本服务器信任的密钥签发，或文件已被改动',
    'The firmware signature is not valid: not made with a key this server trusts, or the file was altered',
  ),
  'firmware manifest wrong': message('固件清单无效：{field} 不正确', 'The firmware manifest cannot be used: {field} is wrong'),
  'firmware model unknown': message(
    '没有型号为 {model} 的网关，请核对固件适用的型号',
    'No gateway here is of model {model}. Check for which model the firmware was made',
  ),
  'firmware same version': message(
    '型号 {model} 已有固件版本 {version}，请勿重复上传',
    'Firmware {version} for model {model} has already been uploaded',
  ),
  'firmware lower version': message(
    '型号 {model} 已有更高的固件版本 {latest}，不能上传 {version}',
    'Firmware {latest} for model {model} is newer than {version}. A lower version cannot be uploaded',
  ),
  'firmware piece elsewhere': message(
    '上传位置不连续，请从第 {received} 字节继续',
    'This part does not follow the last one. Continue from byte {received}',
  ),
  'firmware too long': message(
    '固件文件比清单声明的 {size} 字节长',
    'The firmware is longer than the {size} bytes of its manifest',
  ),
  'firmware cut short': message(
    '固件文件不完整：应为 {size} 字节，只收到 {received} 字节，请重新上传',
    'The firmware file is incomplete: {received} of {size} bytes received. Upload it again',
  ),
  'firmware damaged': message(
    '固件文件已损坏：校验值与清单不一致，请重新上传',
    'The firmware file is damaged: its checksum does not match the manifest. Upload it again',
  ),
  'firmware not exists': message('固件不存在', 'The firmware does not exist', 404),
  'firmware not ready': message('该固件不可用于升级', 'This firmware cannot be installed: it is not complete, or was withdrawn'),
  'firmware in use': message('有升级任务正在使用该固件，请先中止任务', 'A campaign is installing this firmware. Abort it first'),
  'firmware none newer': message('没有适用于该网关的固件', 'There is no firmware for this gateway'),
  'firmware wrong model': message(
    '网关 {gateway} 的型号不是 {model}，不能安装该固件',
    'Gateway {gateway} is not of model {model} and cannot take this firmware',
  ),
  'upgrade under way': message('网关 {gateway} 已在另一个升级任务中', 'Gateway {gateway} is already in another upgrade'),
  'no gateways chosen': message('所选范围内没有适用该固件的网关', 'None of the selected gateways can use this firmware'),
  'campaign not exists': message('升级任务不存在', 'The campaign does not exist', 404),
  'campaign ended': message('升级任务已结束', 'The campaign has ended'),
} as const
