; Inno Setup: installs for one user, without an administrator. installers/build.py calls it with /DVersion and, where
; NOTEEVAL_SIGN holds a signing command (signtool … $f), with /Ssign and /DSign.
[Setup]
AppId={{5B6B1B3E-2C0F-4F0B-9C39-6E1B0C8A7D54}
AppName=NoteEval
AppVersion={#Version}
AppPublisher=The NoteEval authors
DefaultDirName={userpf}\NoteEval
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0
ChangesAssociations=yes
Compression=lzma2/max
SolidCompression=yes
LicenseFile=..\..\LICENSE
SetupIconFile=..\..\build\installer\icons\noteeval.ico
UninstallDisplayIcon={app}\noteeval-desktop.exe
OutputBaseFilename=NoteEval-{#Version}-setup
#ifdef Sign
SignTool=sign
#endif

[Files]
Source: "..\..\dist\NoteEval\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs

[Icons]
Name: "{userprograms}\NoteEval"; Filename: "{app}\noteeval-desktop.exe"

[Registry]
Root: HKCU; Subkey: "Software\Classes\.noteeval-case"; ValueType: string; ValueData: "NoteEval.Case"; Flags: uninsdeletekey
Root: HKCU; Subkey: "Software\Classes\NoteEval.Case"; ValueType: string; ValueData: "Encrypted NoteEval case"; Flags: uninsdeletekey
Root: HKCU; Subkey: "Software\Classes\NoteEval.Case\DefaultIcon"; ValueType: string; ValueData: "{app}\noteeval-desktop.exe,0"
Root: HKCU; Subkey: "Software\Classes\NoteEval.Case\shell\open\command"; ValueType: string; ValueData: """{app}\noteeval-desktop.exe"" ""%1"""

[Run]
Filename: "{app}\noteeval-desktop.exe"; Description: "Open NoteEval"; Flags: nowait postinstall skipifsilent

[Code]
procedure CurUninstallStepChanged(Step: TUninstallStep);
begin
  if (Step = usPostUninstall) and not UninstallSilent then
    MsgBox('NoteEval is removed. Your cases and settings stay in ' + ExpandConstant('{localappdata}\NoteEval') +
      '. Delete that folder only if they are no longer needed.', mbInformation, MB_OK);
end;
