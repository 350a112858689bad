import { message } from '../../terms/message.ts'
import { refused, text } from '../../terms/text.ts'

export const actions = {
  'supply.add': text('新建供电点', 'Add supply'),
  'supply.edit': text('修改供电点', 'Edit supply'),
  'supply.end': text('停用供电点', 'End supply'),
  'tariff.add': text('新建电价', 'Add tariff'),
  'tariff.draft': text('保存电价草稿', 'Save tariff draft'),
  'tariff.remove': text('删除电价草稿', 'Remove tariff draft'),
  'tariff.publish': text('发布电价', 'Publish tariff'),
} as const

export const refusedCalls = {
  insertSupply: refused('新建供电点', 'Add supply'),
  updateSupply: refused('修改供电点', 'Edit supply'),
  insertTariff: refused('新建电价', 'Add tariff'),
  saveTariffDraft: refused('保存电价草稿', 'Save tariff draft'),
  publishTariff: refused('发布电价', 'Publish tariff'),
} as const

export const refusals = {
  'supply not exists': message('供电点不存在', 'The supply does not exist', 404),
  'supply wrong': message('有 {count} 处填写不正确，未保存', 'Not saved: {count} fields are not right', 400),
  'supply dates wrong': message(
    '请填写存在的日期，停用日期不能早于启用日期',
    'Enter dates that exist: the last one is not before the first',
    400,
  ),
  'supply without line': message('请至少选择一条计入的线路', 'Choose at least one line that counts', 400),
  'supply name used': message('该项目已有同名供电点', 'A supply of this project has this name already', 409),
  'supply line twice': message('“{line}”重复，请只保留一处', 'There twice: {line}. Keep it once', 400),
  'supply line fed': message(
    '“{line}”由“{feeder}”供电，两者都计入会重复计量，请去掉其中一条',
    'Counted both, energy counts twice: {line} is fed by {feeder}. Take one of them out',
    400,
  ),
  'supply line elsewhere': message(
    '“{line}”自 {from} 起已计入供电点“{supply}”（至 {to}），请先停用该供电点或调整日期',
    'Counted already: {line} is part of {supply} from {from} to {to}. End that one first, or change the dates',
    409,
  ),
  'supply tariffs wrong': message(
    '第一个电价从启用日期起，其余按日期先后，每天只有一个电价',
    'The first tariff begins with the supply, the others one after the other: each date has exactly one',
    400,
  ),
  'supply tariff not here': message('所选电价不在本项目，请重新选择', 'A tariff is not of this project: choose again', 400),
  'supply currencies differ': message(
    '所选电价的币种不同（{currencies}），请选择同一币种的电价；币种变更时，请停用此供电点并新建',
    'The tariffs have different currencies ({currencies}): choose tariffs of one. Where the currency changes, end this supply and add another',
    400,
  ),
  'tariff not exists': message('电价不存在', 'The tariff does not exist', 404),
  'tariff version not exists': message('电价版本不存在', 'The tariff version does not exist', 404),
  'tariff name used': message('该项目已有同名电价', 'A tariff of this project has this name already', 409),
  'tariff has draft': message('该电价已有草稿，请先发布或删除', 'This tariff has a draft: publish it or take it out first', 409),
  'tariff published': message(
    '已发布的版本不能修改，请新建版本取代',
    'What is published is never changed: supersede it by another version',
    409,
  ),
  'tariff wrong': message('有 {count} 处不正确，未发布', 'Not published: {count} things are not right', 400),
  'tariff draft wrong': message(
    '日期不存在或先后颠倒，草稿未保存',
    'Not saved: a date does not exist, or they are the wrong way round',
    400,
  ),
  'tariff source missing': message('请填写依据，例如电价文件的文号', 'Say what it follows, such as the number of a notice', 400),
  'tariff dates wrong': message('截止日期不能早于生效日期', 'The last date is not before the first', 400),
  'tariff band count': message('时段须为 1–8 个', 'There are 1 to 8 bands', 400),
  'tariff band twice': message('时段名称重复', 'Two bands have the same name', 400),
  'tariff season missing': message('从 {date} 起有日期不属于任何季节', 'From {date} on, dates are in no season', 400),
  'tariff season twice': message('从 {date} 起有日期属于两个季节', 'From {date} on, dates are in two seasons', 400),
  'tariff band missing': message('{season}，{day}：{time} 起没有时段', 'No band from {time} on: {season}, {day}', 400),
  'tariff price wrong': message(
    '“{component}”的价格须为数字，最多 8 位小数',
    'The price of {component} is a number with at most 8 places',
    400,
  ),
  'tariff band price wrong': message(
    '“{component}”{band}段的价格须为数字，最多 8 位小数',
    'The price of {component}, {band}, is a number with at most 8 places',
    400,
  ),
  'tariff component twice': message('价格项目名称重复', 'Two prices have the same name', 400),
  'tariff per cent wrong': message(
    '“{component}”按百分比计，须选择排在它前面的项目',
    'A per cent of others: choose some that stand before {component}',
    400,
  ),
  'tariff demand rule wrong': message(
    '需量规则的百分比和倍数须为整数',
    'Per cents and factors of the demand rule are whole',
    400,
  ),
  'tariff overlaps': message('与已发布的版本在 {from} 至 {to} 重叠', 'It overlaps a published version from {from} to {to}', 409),
  'tariff leaves gap': message('{from} 至 {to} 没有价格', 'There is no price from {from} to {to}', 409),
  'supply line not here': message('有线路不在本项目，请重新选择', 'A line is not in this project: choose again', 400),
} as const
