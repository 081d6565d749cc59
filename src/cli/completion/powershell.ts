import type { CompletionScript } from './completion-script.js';

/** The script for PowerShell 5.1 and newer. It also covers gobonnie.cmd and gobonnie.ps1, which npm installs. */
export const powershell: CompletionScript = ({ node, entry }) => `\
# Completes gobonnie's command lines in PowerShell.
#
# To load it in every shell, add this line to the file $PROFILE:
#   gobonnie completion powershell | Out-String | Invoke-Expression
#
# Once loaded, it also completes after npx gobonnie. Some versions of PowerShell complete flags only after -- and a
# letter.

Register-ArgumentCompleter -Native -CommandName @('gobonnie', 'npx') -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  # With Stop, PowerShell 5 would fail if Node.js printed a warning.
  $ErrorActionPreference = 'Continue'

  # PowerShell 5 escapes neither quotes nor a backslash before the quote that it adds, so remove both.
  $plain = { $args[0] -replace '[''"\`]' }
  $open = { $args[0] -replace '\\\\+$' }
  $before = @()
  $typed = ''
  foreach ($element in $commandAst.CommandElements) {
    $length = $cursorPosition - $element.Extent.StartOffset
    $text = $element.Extent.Text
    if ($length -gt $text.Length) {
      $before += & $plain $text
    } elseif ($length -gt 0) {
      $typed = & $plain ($text.Substring(0, $length))
    }
  }
  $at = 0
  if ([System.IO.Path]::GetFileNameWithoutExtension($before[0]) -eq 'npx') {
    $at = 1
    while ($at -lt $before.Count -and $before[$at] -like '-*') { $at++ }
    if ($at -ge $before.Count -or $before[$at] -ne 'gobonnie') { return }
  }
  $before = @($before | Select-Object -Skip ($at + 1) | ForEach-Object { & $open $_ })
  $current = '.' + (& $open $typed)

  # The word at the cursor comes first, after a dot, because PowerShell 5 drops empty words.
  if ((Test-Path -LiteralPath ${quoteForPowerShell(node)}) -and (Test-Path -LiteralPath ${quoteForPowerShell(entry)})) {
    $answer = @(& ${quoteForPowerShell(node)} ${quoteForPowerShell(entry)} __complete $current @before 2>$null)
  } else {
    $answer = @(& gobonnie __complete $current @before 2>$null)
  }
  if ($answer.Count -eq 0) { return }
  $kind = $answer[0]
  $flag = if ($typed -match '^--?[\\w-]+=') { $Matches[0] } else { '' }
  $quote = if ($wordToComplete -match '^[''"]') { $Matches[0] } else { '' }

  # Without offers, PowerShell itself completes files.
  if ($kind -eq 'files' -and -not $flag) { return }
  $offers = if ($kind -eq 'files' -or $kind -eq 'directories') {
    $path = if ($flag) { $typed.Substring($flag.Length) } else { $wordToComplete }
    [System.Management.Automation.CompletionCompleters]::CompleteFilename($path) |
      Where-Object { $kind -eq 'files' -or $_.ResultType -eq 'ProviderContainer' } |
      ForEach-Object {
        $text = $_.CompletionText
        if ($flag -and ($quote -or $text -match '^''')) {
          # Put the quotes around the flag and the path.
          $text = '''{0}{1}''' -f $flag, ($text -replace '^''|''$')
        } elseif ($flag) {
          $text = $flag + $text
        }
        [System.Management.Automation.CompletionResult]::new($text, $_.ListItemText, $_.ResultType, $_.ToolTip)
      }
  } else {
    # After a comma, PowerShell replaces only the text after it.
    $kept = if ($typed.EndsWith($wordToComplete)) { $typed.Length - $wordToComplete.Length } else { 0 }
    $answer | Select-Object -Skip 1 | ForEach-Object {
      $word, $help = $_ -split "\`t", 2
      if (-not $help) { $help = $word }
      $type = if ($word -like '-*') { 'ParameterName' } else { 'ParameterValue' }
      $text = $quote + ($flag + $word).Substring($kept) + $quote
      [System.Management.Automation.CompletionResult]::new($text, $word, $type, $help)
    }
  }
  if ($offers) { $offers } else { '' }
}
`;

function quoteForPowerShell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
