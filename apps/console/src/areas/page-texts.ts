import { keys } from './account/key-texts.ts'
import { alarmEvidence } from './alarm/evidence/texts.ts'
import { alarmMarks } from './alarm/list/mark-texts.ts'
import { alarmList } from './alarm/list-texts.ts'
import { rationaleSheet } from './alarm/rationale/sheet-texts.ts'
import { alarmRationale } from './alarm/rationale/texts.ts'
import { alarmTuningTexts } from './alarm/tuning/texts.ts'
import { dayCalendar } from './automation/calendar/texts.ts'
import { lateTexts } from './automation/late/texts.ts'
import { linkageForm } from './automation/linkages/form-texts.ts'
import { linkageLogTexts } from './automation/linkages/log-texts.ts'
import { linkages } from './automation/linkages/texts.ts'
import { runLog } from './automation/log/texts.ts'
import { timerConflicts } from './automation/parts/conflict-texts.ts'
import { automation } from './automation/parts/texts.ts'
import { runWhy } from './automation/parts/why-texts.ts'
import { scenes } from './automation/scenes/texts.ts'
import { timerForm } from './automation/timer-form/texts.ts'
import { timerDay } from './automation/timers/day/texts.ts'
import { timers } from './automation/timers/texts.ts'
import { timedLines } from './control/timed-texts.ts'
import { energyBalance } from './energy/balance-texts.ts'
import { energyBudget } from './energy/budget-texts.ts'
import { energyCost } from './energy/cost-texts.ts'
import { energyFixes } from './energy/fix-texts.ts'
import { loads } from './energy/load-texts.ts'
import { energyMeters } from './energy/meter-texts.ts'
import { energyOrigin } from './energy/origin-texts.ts'
import { energyPrices } from './energy/price-texts.ts'
import { energySettings } from './energy/settings-texts.ts'
import { tariffs } from './energy/tariff-texts.ts'
import { energy } from './energy/texts.ts'
import { virtualMeters } from './energy/virtual-texts.ts'
import { analysis } from './hazard/texts.ts'
import { healthCheck } from './health/texts.ts'
import { phoneOrders } from './inspection/phone/orders/texts.ts'
import { phoneRounds } from './inspection/phone/texts.ts'
import { inspection } from './inspection/texts.ts'
import { billCheck } from './report/bill-texts.ts'
import { schedules } from './report/schedule-texts.ts'
import { statements } from './report/statement-texts.ts'
import { deviceData } from './report/texts.ts'
import { linkTexts as screenLinks } from './screen/links/link-texts.ts'
import { screens } from './screen/links/screens-texts.ts'
import { screen } from './screen/texts.ts'
import { warningRules } from './warning/rules/texts.ts'
import { warning } from './warning/texts.ts'
import { hazards } from './workorder/hazard-texts.ts'
import { orderSheet } from './workorder/order-sheet-texts.ts'
import { orderRules } from './workorder/rule-texts.ts'
import { workOrders } from './workorder/texts.ts'

/**
 * Texts that come with a page of their own, each made known by it: behind the login nothing loads them. Here they stand for the compiler, and
 * for the tests of all texts.
 */
export const pageTexts = {
  keys,
  alarmEvidence,
  alarmList,
  alarmMarks,
  alarmRationale,
  alarmTuning: alarmTuningTexts,
  rationaleSheet,
  scenes,
  warning,
  warningRules,
  analysis,
  automation,
  linkageForm,
  linkageLogTexts,
  linkages,
  timedLines,
  runLog,
  runWhy,
  timers,
  timerConflicts,
  timerForm,
  dayCalendar,
  lateTexts,
  timerDay,
  workOrders,
  orderSheet,
  hazards,
  orderRules,
  energy,
  energyBalance,
  energyBudget,
  energyCost,
  energyOrigin,
  energyPrices,
  energyFixes,
  energyMeters,
  energySettings,
  virtualMeters,
  loads,
  tariffs,
  healthCheck,
  deviceData,
  schedules,
  billCheck,
  statements,
  screen,
  screenLinks,
  screens,
  inspection,
  phoneRounds,
  phoneOrders,
}
