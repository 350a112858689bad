/**
 * What of a refused request is written into the log, at every depth of it: these fields and no other. Passwords, keys, grants, signatures and
 * pictures are not among them, nor is what no call has, whatever somebody sends under it. A test asks of every field of every such call
 * whether it may be told.
 */
export const toldFields: readonly string[] = [
  // Equipment, and what is asked of it.
  ...['ControllerID', 'ID', 'LineNo', 'LineID', 'LineName', 'DeviceID', 'DeviceIDs', 'Lines', 'Targets', 'FedBy'],
  ...['EventID', 'EventIDs'],
  ...['attr', 'type', 'Action', 'Act', 'CommandID', 'BatchID', 'RunID', 'ChangeID', 'Reason', 'Cause'],
  ...['TagID', 'On', 'Kind', 'ExpectedEnd', 'Confirmed'],
  ...['DeadlineMs', 'StaggerMs', 'DelaysS', 'Enabled', 'EveryDays', 'Windows', 'Days', 'FromMinute', 'ToMinute'],
  ...['InstalledOn', 'WarrantyUntil', 'ServiceYears', 'Was', 'Version'],
  // Settings.
  ...['Settings', 'Seen', 'Key', 'Value', 'Seconds', 'OffUntil', 'TemplateID', 'Family'],
  ...['residual.alarm', 'residual.enabled', 'temperature.alarm', 'temperature.enabled'],
  // Projects, groups, gateways, pushes.
  ...['HouseID', 'HouseIDs', 'CityID', 'Name', 'Number', 'Remark', 'PersonInCharge', 'ContactPhone', 'Province', 'City'],
  ...['District', 'Address', 'TimeZone', 'Currency', 'Standard', 'CCID', 'IMEI', 'AddMethod', 'Platform', 'DeviceType'],
  ...['DryRun', 'Rows', 'Count', 'PushID', 'Products', 'ProductID', 'Model', 'ReportingPeriodS'],
  // People and roles.
  ...['AccountID', 'OwnerID', 'UserName', 'NickName', 'Mobile', 'Email', 'Sex', 'JobName', 'Language'],
  ...['RoleID', 'Assigned', 'SessionID'],
  ...['Description', 'Privileges', 'Buttons'],
  // Firmware and branding.
  ...['ImageID', 'Offset', 'CampaignID', 'Gateways', 'Projects', 'Stages', 'Amount', 'FailureLimit'],
  ...['NameZh', 'NameEn', 'TitleZh', 'TitleEn', 'ProviderHost', 'ProviderName', 'ProviderUrl'],
]
