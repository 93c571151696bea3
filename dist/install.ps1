# Installs the splc program of a release: downloads the archive for Windows on x86-64, checks its SHA-256, and copies the
# program to %LOCALAPPDATA%\splc. Settings are environment variables:
#
#   SPLC_REPOSITORY    owner/name of the repository on GitHub
#   SPLC_VERSION       a version such as 0.2.0; the latest release without it
#   SPLC_INSTALL_DIR   the folder of the program
#   SPLC_RELEASES      address of the releases, for a mirror
$ErrorActionPreference = 'Stop'
# Windows PowerShell draws a progress bar that takes longer than the download.
$ProgressPreference = 'SilentlyContinue'

# The release workflow replaces the placeholder.
$repository = if ($env:SPLC_REPOSITORY) { $env:SPLC_REPOSITORY } else { '@REPOSITORY@' }
$version = if ($env:SPLC_VERSION) { $env:SPLC_VERSION } else { 'latest' }
$folder = if ($env:SPLC_INSTALL_DIR) { $env:SPLC_INSTALL_DIR } else { Join-Path $env:LOCALAPPDATA 'splc' }

if ($env:SPLC_RELEASES) {
    $releases = $env:SPLC_RELEASES
} elseif ($repository -match '^[\w.-]+/[\w.-]+$') {
    $releases = "https://github.com/$repository/releases"
} else {
    throw 'no repository: set SPLC_REPOSITORY to OWNER/NAME'
}
if ($version -eq 'latest') {
    $address = "$releases/latest/download"
} elseif ($version -match '^[0-9A-Za-z.+-]+$') {
    $address = "$releases/download/v$($version -replace '^v', '')"
} else {
    throw "invalid version '$version'"
}

# Windows on ARM runs programs for x86-64.
$name = 'splc-x86_64-pc-windows-msvc'
$archive = "$name.zip"
$scratch = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
New-Item -ItemType Directory -Path $scratch | Out-Null
try {
    foreach ($file in $archive, 'SHA256SUMS') {
        Invoke-WebRequest -UseBasicParsing -Uri "$address/$file" -OutFile (Join-Path $scratch $file)
    }
    $line = Get-Content (Join-Path $scratch 'SHA256SUMS') | Where-Object { ($_ -split '\s+\*?', 2)[1] -eq $archive }
    if (-not $line) { throw "SHA256SUMS does not list $archive" }
    $expected = ($line -split '\s+', 2)[0]
    $found = (Get-FileHash -Algorithm SHA256 (Join-Path $scratch $archive)).Hash
    if ($found -ne $expected) { throw "$archive is damaged: its SHA-256 is not the one in SHA256SUMS" }

    Expand-Archive (Join-Path $scratch $archive) -DestinationPath $scratch
    New-Item -ItemType Directory -Force -Path $folder | Out-Null
    Copy-Item -Force (Join-Path $scratch "$name\splc.exe") $folder
} finally {
    Remove-Item -Recurse -Force $scratch
}

$program = Join-Path $folder 'splc.exe'
Write-Output "installed $(& $program --version) to $program"
if (($env:PATH -split ';') -notcontains $folder) {
    Write-Output "add it to your PATH: `$env:PATH = `"$folder;`$env:PATH`""
}
