import type { addGateways, Reply, Request } from '@linewarden/contract'
import { gatewayNumber, maxCell, maxGateways } from '@linewarden/contract'
import { deviceTypes, dockingPlatforms, isImei } from '@linewarden/rules/site'

type Row = Request<typeof addGateways>['body']['Rows'][number]
type Problem = Reply<typeof addGateways>['Problems'][number]

const cellText = (zh: string, en: string) => ({ zh, en })
const taken = cellText('已被占用', 'is in use already')
const twice = cellText('在文件中重复', 'is in the file twice')

const full = cellText(
  `项目最多 ${maxGateways} 个网关，本行已无名额`,
  `has no place: a project holds at most ${maxGateways} gateways`,
)

/** Reads the rows of a spreadsheet: what they mean, and what is wrong with which cell. `places`: how many gateways the project can still hold. */
export function readRows(
  given: readonly Row[],
  inUse: { readonly numbers: ReadonlySet<string>; readonly imeis: ReadonlySet<string> },
  places: number,
) {
  const problems: Problem[] = []
  const seen = { numbers: new Set<string>(), imeis: new Set<string>() }
  let good = 0
  const rows = given.map((row, index) => {
    const found = problems.length
    const wrong = (Column: string, Text: Problem['Text']) => problems.push({ Row: index + 1, Column, Text })
    const number = row.Number.trim()
    if (!gatewayNumber.test(number))
      wrong(
        'Number',
        cellText(
          '网关编号应为 1 至 64 个字符，不含 /、+、#，首尾无空格',
          'must be 1 to 64 characters, without /, + or #, and no space at either end',
        ),
      )
    else if (seen.numbers.has(number)) wrong('Number', twice)
    else if (inUse.numbers.has(number)) wrong('Number', taken)
    seen.numbers.add(number)
    const name = row.Name.trim()
    if (name === '' || name.length > 64) wrong('Name', cellText('网关名称应为 1 至 64 个字符', 'must have 1 to 64 characters'))
    const imei = row.IMEI.trim()
    if (!isImei(imei)) wrong('IMEI', cellText('IMEI 应为 15 位数字且校验位正确', 'must be 15 digits with a right check digit'))
    else if (seen.imeis.has(imei)) wrong('IMEI', twice)
    else if (inUse.imeis.has(imei)) wrong('IMEI', taken)
    seen.imeis.add(imei)
    const platform = oneOf(dockingPlatforms, row.Platform)
    if (!platform)
      wrong('Platform', cellText(`只能是 ${dockingPlatforms.join('、')}`, `must be one of ${dockingPlatforms.join(', ')}`))
    const deviceType = oneOf(deviceTypes, row.DeviceType)
    if (!deviceType) wrong('DeviceType', cellText(`只能是 ${deviceTypes.join('、')}`, `must be one of ${deviceTypes.join(', ')}`))
    const remark = row.Remark ?? ''
    if (remark.length > maxCell)
      wrong('Remark', cellText(`备注不能超过 ${maxCell} 个字符`, `must have at most ${maxCell} characters`))
    if (problems.length === found) {
      good += 1
      if (good > places) wrong('Number', full)
    }
    return {
      number,
      name,
      imei,
      platform: platform ?? dockingPlatforms[0],
      deviceType: deviceType ?? deviceTypes[0],
      remark,
    }
  })
  return { rows, problems }
}

const oneOf = <const V extends string>(values: readonly V[], text: string): V | undefined =>
  values.find((each) => each.toLowerCase() === text.trim().toLowerCase())
