import { text } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { HealthBand, HealthCategory, HealthCeiling } from '@linewarden/rules/health'
import { healthCategories } from '@linewarden/rules/health'

export const fileName = text('设备体检', 'health-check')

const categories: Readonly<Record<HealthCategory, Text>> = {
  protection: text('保护', 'Protection'),
  leakage: text('漏电', 'Residual current'),
  load: text('温度与负荷', 'Heat and load'),
  supply: text('电源', 'Supply'),
  link: text('通信与寿命', 'Link and life'),
  history: text('历史', 'History'),
  reach: text('在线与信号', 'Online and signal'),
  test: text('自检', 'Self-test'),
  fault: text('故障', 'Faults'),
  battery: text('电池', 'Battery'),
  life: text('寿命', 'Service life'),
}

/** The heads of an exported check, in the order of its cells. */
export const columns: readonly Text[] = [
  text('体检时间', 'Examined'),
  text('体检编号', 'Health check'),
  text('项目', 'Project'),
  text('网关', 'Gateway'),
  text('线路', 'Line'),
  text('线路号', 'Line number'),
  text('设备编号', 'Device number'),
  text('型号', 'Model'),
  text('额定电流 (A)', 'Rated current (A)'),
  text('得分', 'Score'),
  text('等级', 'Band'),
  text('覆盖 (%)', 'Coverage (%)'),
  text('上次得分', 'Last score'),
  ...healthCategories.map((each) => text(`扣分：${categories[each].zh}`, `Points lost: ${categories[each].en}`)),
  text('扣分：封顶 59', 'Points lost: ceiling of 59'),
  text('封顶原因', 'Why there is a ceiling'),
  text('未检内容', 'Not examined'),
  text('比上次消除', 'Gone since the last check'),
  text('扣分明细', 'Deductions'),
]

export const bands: Readonly<Record<HealthBand, Text>> = {
  good: text('良好', 'Good'),
  fair: text('一般', 'Fair'),
  poor: text('较差', 'Poor'),
  dangerous: text('危险', 'Dangerous'),
}
export const ceilings: Readonly<Record<HealthCeiling, Text>> = {
  selfTest: text('自检不合格', 'A self-test failed'),
  danger: text('有危险或紧急报警未恢复', 'A danger or critical alarm is active'),
  trip: text('保护跳闸未登记原因', 'A protective trip has no recorded cause'),
}
